package main

import (
	"io"
	"log/slog"
)

// logFlags are how much is logged, on standard error.
type logFlags struct {
	LogLevel string `help:"What to log: debug, info, warn or error." enum:"debug,info,warn,error" default:"info" env:"DAYBOOK_LOG_LEVEL"`
}

func (f logFlags) level() slog.Level {
	var l slog.Level
	_ = l.UnmarshalText([]byte(f.LogLevel)) // the enum has only levels
	return l
}

// forPrograms is what collectors read: one JSON object a line.
func (f logFlags) forPrograms(w io.Writer) *slog.Logger {
	return makeDefault(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: f.level()}))
}

// forPeople is what a developer reads in a terminal.
func (f logFlags) forPeople(w io.Writer) *slog.Logger {
	return makeDefault(slog.NewTextHandler(w, &slog.HandlerOptions{Level: f.level()}))
}

// makeDefault also takes in what libraries say through the standard logger.
func makeDefault(h slog.Handler) *slog.Logger {
	log := slog.New(h)
	slog.SetDefault(log)
	return log
}
