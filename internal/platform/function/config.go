package function

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"time"

	"daybook/internal/base/db"
	"daybook/internal/base/fault"
	"daybook/internal/base/trail"
	"daybook/internal/platform/app"
	"daybook/internal/tenancy/organization"
)

// Setting is a value that all functions of an app find in ctx.config.
type Setting struct {
	Key       string
	Secret    bool
	Value     string // empty for a secret: it is never shown again
	UpdatedAt time.Time

	sealed []byte
}

// MaxSettings of an app.
const MaxSettings = 50

const maxValue = 4 << 10

// configUse names the place that secrets of configuration are sealed for.
const configUse = "function configuration"

var settingKey = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,63}$`)

// Config lists the configuration of an app's functions, by key. Secrets have no value.
func (s *Service) Config(ctx context.Context, appID, by string) ([]Setting, error) {
	var all []Setting
	err := s.DB.Snapshot(ctx, func(tx *db.Tx) (err error) {
		if _, err = app.Authorize(ctx, tx, appID, by, organization.Look); err != nil {
			return err
		}
		all, err = listConfig(ctx, tx, appID)
		return err
	})
	return all, err
}

// SetConfig sets a value. Runs that begin from now on find it.
func (s *Service) SetConfig(ctx context.Context, appID, by, key, value string, secret bool) (Setting, error) {
	var c fault.Check
	c.Require(settingKey.MatchString(key), "key", "must begin with a letter and have at most 64 letters, digits and underscores")
	c.Require(len(value) > 0 && len(value) <= maxValue, "value", "must have 1 to 4096 bytes")
	c.Require(!strings.Contains(value, "\x00"), "value", "must not contain a NUL character")
	if err := c.Err(); err != nil {
		return Setting{}, err
	}
	one := Setting{Key: key, Secret: secret, Value: value}
	if secret {
		one.Value, one.sealed = "", s.Keys.Seal(configUse, appID+" "+key, []byte(value))
	}
	err := s.build(ctx, appID, by, func(tx *db.Tx, of app.App) error {
		one.UpdatedAt = tx.Now()
		if err := putConfig(ctx, tx, appID, one); err != nil {
			return err
		}
		switch n, err := countConfig(ctx, tx, appID); {
		case err != nil:
			return err
		case n > MaxSettings:
			return ErrKeys.With(MaxSettings)
		}
		return s.leave(ctx, tx, of, by, actConfigured, trail.Object{Type: "app", ID: appID}, map[string]any{"key": key, "secret": secret})
	})
	return one, err
}

// DeleteConfig takes a value away.
func (s *Service) DeleteConfig(ctx context.Context, appID, by, key string) error {
	return s.build(ctx, appID, by, func(tx *db.Tx, of app.App) error {
		was, err := deleteConfig(ctx, tx, appID, key)
		if err == nil && !was {
			err = ErrNoKey
		}
		if err != nil {
			return err
		}
		return s.leave(ctx, tx, of, by, actConfigured, trail.Object{Type: "app", ID: appID}, map[string]any{"key": clip(key, 64), "deleted": true})
	})
}

// errSealed is for a secret that the key file does not open.
var errSealed = errors.New("a secret of the configuration cannot be opened: set it again")

// open is the configuration as a function finds it.
func (s *Service) open(appID string, all []Setting) (map[string]string, error) {
	config := make(map[string]string, len(all))
	for _, one := range all {
		config[one.Key] = one.Value
		if !one.Secret {
			continue
		}
		plain, err := s.Keys.Open(configUse, appID+" "+one.Key, one.sealed)
		if err != nil {
			return nil, errSealed
		}
		config[one.Key] = string(plain)
	}
	return config, nil
}
