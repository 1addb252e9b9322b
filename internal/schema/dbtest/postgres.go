package dbtest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"daybook/internal/base/secret"
	"daybook/internal/schema"
)

// postgresCopy creates a database from the migrated template and drops it after the test.
func postgresCopy(t *testing.T) string {
	t.Helper()
	server := Require(t, "DAYBOOK_TEST_POSTGRES")
	tmpl, err := postgresTemplate(server)
	if err != nil {
		t.Fatal(err)
	}
	name := "t_" + strings.ToLower(secret.Random(16))
	createFrom(t, server, tmpl, name)
	t.Cleanup(func() {
		if err := drop(server, name); err != nil {
			t.Error(err)
		}
	})
	return withDatabase(server, name)
}

var templates sync.Map // server URL → func() (string, error)

// postgresTemplate makes the template once per server and schema: its name is the schema's checksum, so test
// programs that run side by side share it.
func postgresTemplate(server string) (string, error) {
	once, _ := templates.LoadOrStore(server, sync.OnceValues(func() (string, error) {
		sum := sha256.New()
		for _, m := range schema.Migrations() {
			sum.Write([]byte(m.Checksum))
		}
		name := "template_" + hex.EncodeToString(sum.Sum(nil)[:8])
		ctx := context.Background()
		conn, err := pgx.Connect(ctx, server)
		if err != nil {
			return "", err
		}
		defer conn.Close(ctx)
		if _, err := conn.Exec(ctx, `SELECT pg_advisory_lock(7001)`); err != nil { // let go with the connection
			return "", err
		}
		var exists bool
		if err := conn.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM pg_database WHERE datname = $1)`, name).Scan(&exists); err != nil || exists {
			return name, err
		}
		draft := name + "_draft" // renamed when whole: a killed run leaves no half-made template
		for _, sql := range []string{`DROP DATABASE IF EXISTS ` + draft, `CREATE DATABASE ` + draft} {
			if _, err := conn.Exec(ctx, sql); err != nil {
				return "", err
			}
		}
		if err := migrate(withDatabase(server, draft)); err != nil {
			return "", err
		}
		_, err = conn.Exec(ctx, fmt.Sprintf(`ALTER DATABASE %s RENAME TO %s`, draft, name))
		return name, err
	}))
	return once.(func() (string, error))()
}

func admin(server, sql string) error {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, server)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, sql)
	return err
}

func withDatabase(server, name string) string {
	u, err := url.Parse(server)
	if err != nil {
		return server
	}
	u.Path = "/" + name
	return u.String()
}
