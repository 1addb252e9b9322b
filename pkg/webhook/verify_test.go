package webhook

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"
)

// The vectors were made with openssl: printf '%s.%s' "$stamp" "$body" | openssl dgst -sha256 -hmac "$secret".
const (
	present, previous = "whsec_present", "whsec_previous"

	body       = `{"id":"dlv_1","eventId":"evt_1","type":"invoice.created","apiVersion":"2026-06-01","businessId":"biz_1","created":1794700000,"data":{"name":"Café ☕"}}`
	byPresent  = "v1=bb3f375e86b8b5052dbda52554060da424cc48a2d21448a03e364a95ba6a68bc"
	byPrevious = "v1=61e736c85ce9d21cc41fdc7681f549bc24d1454a78d3cecc69ce0eb8d2383feb"
)

var signedAt = time.Unix(1794700000, 0)

func TestVerify(t *testing.T) {
	const stamp = "t=1794700000,"
	one, two := []string{present}, []string{present, previous}
	for _, c := range []struct {
		name    string
		header  string
		secrets []string
		want    error
	}{
		{"SIGN-01 one value", stamp + byPresent, one, nil},
		{"SIGN-03 two values, the new secret", stamp + byPresent + "," + byPrevious, one, nil},
		{"SIGN-03 two values, the old secret", stamp + byPresent + "," + byPrevious, []string{previous}, nil},
		{"one value, its secret is the second", stamp + byPrevious, two, nil},
		{"the order of the parts is free", byPresent + ",t=1794700000", one, nil},
		{"an older scheme beside it", stamp + "v0=abc," + byPresent, one, nil},
		{"a later scheme with = in its value", stamp + byPresent + ",v2=YWJj==", one, nil},
		{"a value of other length beside it", stamp + "v1=,v1=00," + byPresent, one, nil},
		{"as many values as fit", stamp + strings.Repeat("v1=00,", maxValues-1) + byPresent, one, nil},
		{"a forgotten secret beside the right one", stamp + byPresent, []string{"", present}, nil},

		{"another secret", stamp + byPrevious, one, ErrNoMatch},
		{"the secret without its prefix", stamp + byPresent, []string{"present"}, ErrNoMatch},
		{"another instant", "t=1794700001," + byPresent, one, ErrNoMatch},
		{"the instant in other words", "t=01794700000," + byPresent, one, ErrNoMatch},
		{"capital letters", stamp + "v1=" + strings.ToUpper(byPresent[3:]), one, ErrNoMatch},
		{"the beginning of the value", stamp + byPresent[:len(byPresent)-2], one, ErrNoMatch},
		{"more than the value", stamp + byPresent + "00", one, ErrNoMatch},
		{"the right value under another scheme", stamp + "v1=00,v0=" + byPresent[3:], one, ErrNoMatch},
		{"signed with an empty secret that was forgotten", Sign(signedAt, []byte(body), ""), []string{present, ""}, ErrNoMatch},

		{"only a forgotten secret", Sign(signedAt, []byte(body), ""), []string{""}, ErrNoSecret},
		{"no secret", stamp + byPresent, nil, ErrNoSecret},

		{"no header", "", one, ErrMalformed},
		{"no t", byPresent, one, ErrMalformed},
		{"no v1", "t=1794700000", one, ErrMalformed},
		{"only another scheme", stamp + "v0=" + byPresent[3:], one, ErrMalformed},
		{"t twice", stamp + stamp + byPresent, one, ErrMalformed},
		{"t twice, apart", stamp + byPresent + ",t=1", one, ErrMalformed},
		{"t empty", "t=," + byPresent, one, ErrMalformed},
		{"t with a sign", "t=+1794700000," + byPresent, one, ErrMalformed},
		{"t below zero", "t=-1," + byPresent, one, ErrMalformed},
		{"t with a fraction", "t=1794700000.0," + byPresent, one, ErrMalformed},
		{"t with a space", "t= 1794700000," + byPresent, one, ErrMalformed},
		{"t of 13 digits, in milliseconds", "t=1794700000000," + byPresent, one, ErrMalformed},
		{"a space after the comma", stamp + " " + byPresent, one, ErrMalformed},
		{"a part without =", stamp + byPresent + ",v0", one, ErrMalformed},
		{"a comma at the end", stamp + byPresent + ",", one, ErrMalformed},
		{"one value too many", stamp + strings.Repeat("v1=00,", maxValues) + byPresent, one, ErrMalformed},
		{"a header too long", stamp + byPresent + ",x=" + strings.Repeat("x", maxHeader), one, ErrMalformed},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := Verify(c.header, []byte(body), c.secrets, Tolerance, signedAt); !errors.Is(err, c.want) {
				t.Errorf("%v, want %v", err, c.want)
			}
		})
	}
}

func TestVerifyAtTheEdgesOfTheTolerance(t *testing.T) {
	const longest = time.Duration(math.MaxInt64)
	for _, c := range []struct {
		name      string
		now       time.Time
		tolerance time.Duration
		want      error
	}{
		{"300 s old", signedAt.Add(Tolerance), Tolerance, nil},
		{"a moment more", signedAt.Add(Tolerance + 1), Tolerance, ErrTooOld},
		{"300 s ahead", signedAt.Add(-Tolerance), Tolerance, nil},
		{"a moment further ahead", signedAt.Add(-Tolerance - 1), Tolerance, ErrTooNew},
		{"no tolerance, at that very instant", signedAt, 0, nil},
		{"no tolerance, later", signedAt.Add(1), 0, ErrTooOld},
		{"no tolerance, earlier", signedAt.Add(-1), 0, ErrTooNew},
		{"a tolerance below zero accepts nothing", signedAt, -1, ErrTooOld},
		{"farther than durations reach, after", time.Date(9000, 1, 1, 0, 0, 0, 0, time.UTC), longest - 1, ErrTooOld},
		{"farther than durations reach, before", time.Time{}, longest - 1, ErrTooNew},
	} {
		t.Run(c.name, func(t *testing.T) {
			header := "t=1794700000," + byPresent
			if err := Verify(header, []byte(body), []string{present}, c.tolerance, c.now); !errors.Is(err, c.want) {
				t.Errorf("%v, want %v", err, c.want)
			}
		})
	}
}

// A stranger's stamp is not worth a word about the clock.
func TestOnlyTheGenuineIsCalledOld(t *testing.T) {
	header := Sign(signedAt, []byte(body), "whsec_other")
	if err := Verify(header, []byte(body), []string{present}, Tolerance, signedAt.Add(time.Hour)); !errors.Is(err, ErrNoMatch) {
		t.Error(err)
	}
}

func TestEveryChangeOfTheBodyIsSeen(t *testing.T) {
	header := "t=1794700000," + byPresent
	for _, changed := range []string{"", body + "\n", " " + body, body[:len(body)-1], strings.Replace(body, "biz_1", "biz_2", 1)} {
		if err := Verify(header, []byte(changed), []string{present}, Tolerance, signedAt); !errors.Is(err, ErrNoMatch) {
			t.Errorf("%s: %v", changed, err)
		}
	}
}

func TestSignWritesTheVectors(t *testing.T) {
	if got, want := Sign(signedAt, []byte(body), present, previous), "t=1794700000,"+byPresent+","+byPrevious; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
