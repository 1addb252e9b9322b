package main

import (
	"context"
	"fmt"

	"daybook/internal/base/clock"
	"daybook/internal/base/trail"
	"daybook/internal/boot"
	"daybook/internal/boot/fixture"
)

type fixtureCommand struct {
	Load fixtureLoad `cmd:"" help:"Load a YAML world into the database."`
}

type fixtureLoad struct {
	storeFlags
	keyFlags
	logFlags
	File string `arg:"" help:"The YAML file."`
}

// Help implements kong.HelpProvider.
func (fixtureLoad) Help() string {
	return `A file is loaded whole or not at all; loading it again changes nothing. The format is in docs/fixture.md.

Example:

  daybook fixture load world.yaml --database daybook.db --key-file daybook.key`
}

// Run implements the command.
func (c *fixtureLoad) Run(ctx context.Context, s streams) error {
	file, err := fixture.Read(c.File)
	if err != nil {
		return err
	}
	house, err := boot.OpenHouse(ctx, boot.StoreConfig{Database: c.Database, KeyFile: c.KeyFile, Clock: clock.System{}, Log: c.forPeople(s.err)})
	if err != nil {
		return err
	}
	defer house.Close()
	line := newProgress(s.err)
	done, err := fixture.Load(trail.With(ctx, trail.Origin{Command: "fixture load"}), house, file, line.show)
	line.clear()
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	fmt.Fprintf(s.out, "%d records created\n", done.Created)
	return nil
}
