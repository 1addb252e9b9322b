// Package schema holds the migrations: the tables of every feature, in the order in which they came to be.
//
// They stand beside the floors because features share one history. Files are named NNNN_name.sql, written in the
// portable dialect of base/db, and never changed once released: `serve` refuses a database with another past.
// Each table belongs to one feature, named in its comment; only that feature's store files touch it.
package schema

import (
	"embed"
	"sync"

	"daybook/internal/base/db"
)

//go:embed *.sql
var files embed.FS

// Migrations is the whole history.
var Migrations = sync.OnceValue(func() []db.Migration {
	list, err := db.LoadMigrations(files)
	if err != nil {
		panic(err) // the files are part of the program
	}
	return list
})
