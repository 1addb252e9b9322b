package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"daybook/internal/base/clock"
	"daybook/internal/base/fault"
	"daybook/internal/base/secret"
	"daybook/internal/base/trail"
	"daybook/internal/boot"
	"daybook/internal/tenancy/identity"
)

type operatorCommand struct {
	Create operatorCreate `cmd:"" help:"Create an operator: someone who may suspend apps and people, and review listings."`
}

type operatorCreate struct {
	storeFlags
	keyFlags
	logFlags
	Email         string `help:"The operator's address." required:"" placeholder:"ADDRESS"`
	Name          string `help:"The operator's name." placeholder:"NAME"`
	PasswordStdin bool   `help:"Read the password from standard input. Without it one is made and printed, once."`
}

// Help implements kong.HelpProvider.
func (operatorCreate) Help() string {
	return `Examples:

  daybook operator create --email rosa@example.com
  pass show daybook/rosa | daybook operator create --email rosa@example.com --password-stdin`
}

// generatedLength of a printed password: letters and digits, about 119 bits.
const generatedLength = 20

// Run implements the command.
func (c *operatorCreate) Run(ctx context.Context, s streams) error {
	password := secret.Of(secret.Random(generatedLength))
	if c.PasswordStdin {
		text, err := io.ReadAll(io.LimitReader(os.Stdin, 4096))
		if err != nil {
			return fmt.Errorf("cannot read the password: %w", err)
		}
		password = secret.Of(strings.TrimRight(string(text), "\r\n"))
		var check fault.Check
		identity.CheckPassword(&check, "password", password)
		if err := check.Err(); err != nil {
			return err
		}
	}
	operator := identity.NewUser{Email: c.Email, DisplayName: c.Name, Password: password, Operator: true}
	if err := operator.Check(); err != nil {
		return err
	}
	house, err := boot.OpenHouse(ctx, boot.StoreConfig{Database: c.Database, KeyFile: c.KeyFile, Clock: clock.System{}, Log: c.forPeople(s.err)})
	if err != nil {
		return err
	}
	defer house.Close()
	u, err := house.Identity.Create(trail.With(ctx, trail.Origin{Command: "operator create"}), operator)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.out, "operator %s created, id %s\n", u.Email, u.ID)
	if !c.PasswordStdin {
		fmt.Fprintf(s.out, "password: %s\nIt is shown only now. Sign in and change it.\n", password.Reveal())
	}
	return nil
}
