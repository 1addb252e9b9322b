package main

import (
	"context"
	"fmt"
	"os"
	"text/tabwriter"

	"daybook/internal/base/clock"
	"daybook/internal/base/db"
	"daybook/internal/boot"
	"daybook/internal/schema"
)

type migrateCommand struct {
	Up     migrateUp     `cmd:"" help:"Apply every step that is missing."`
	Status migrateStatus `cmd:"" help:"List the steps and when each was applied."`
}

type migrateUp struct{ storeFlags }

// Help implements kong.HelpProvider.
func (migrateUp) Help() string {
	return `Steps only ever go forward. Nodes may run meanwhile; several at once apply each step once.

Example:

  daybook migrate up --database postgres://daybook@db/daybook`
}

// Run implements the command.
func (c *migrateUp) Run(ctx context.Context, s streams) error {
	d, err := db.Open(ctx, db.Options{Database: c.Database, Clock: clock.System{}})
	if err != nil {
		return err
	}
	defer d.Close()
	applied, err := d.Migrate(ctx, schema.Migrations())
	for _, m := range applied {
		fmt.Fprintf(s.out, "applied %04d_%s\n", m.Version, m.Name)
	}
	if err == nil && len(applied) == 0 {
		fmt.Fprintln(s.out, "nothing to do: the schema is up to date")
	}
	return err
}

type migrateStatus struct{ storeFlags }

// Help implements kong.HelpProvider.
func (migrateStatus) Help() string {
	return `It changes nothing.

Example:

  daybook migrate status --database daybook.db`
}

// Run implements the command.
func (c *migrateStatus) Run(ctx context.Context, s streams) error {
	list, err := c.look(ctx)
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
	for _, m := range list {
		when := "pending"
		if m.AppliedAt != nil {
			when = "applied " + m.AppliedAt.Format("2006-01-02 15:04:05 UTC")
		}
		fmt.Fprintf(t, "%04d_%s\t%s\n", m.Version, m.Name, when)
	}
	return t.Flush()
}

// look reads how the schema stands. An empty file is not opened: SQLite would make a database of it.
func (c *migrateStatus) look(ctx context.Context) ([]db.Migration, error) {
	if err := boot.DatabaseExists(c.Database); err != nil {
		if info, missing := os.Stat(c.Database); missing == nil && info.Size() == 0 {
			return schema.Migrations(), nil
		}
		return nil, err
	}
	d, err := db.Open(ctx, db.Options{Database: c.Database, Clock: clock.System{}})
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.Migrations(ctx, schema.Migrations())
}
