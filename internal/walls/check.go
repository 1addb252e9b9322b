package walls

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// Check holds the files against the law and gives a sentence for every offence.
func Check(files []File) []string {
	var offences []string
	for _, f := range files {
		report := func(line int, format string, args ...any) {
			offences = append(offences, fmt.Sprintf("%s:%d: ", f.Path, line)+fmt.Sprintf(format, args...))
		}
		from := placeOf(path.Dir(f.Path))
		if from.floor == homeless {
			report(1, "package %s has no floor", path.Dir(f.Path))
		}
		for _, imp := range f.Imports {
			for _, complaint := range []string{direction(from, imp.What), forbidden(f.Path, imp.What)} {
				if complaint != "" {
					report(imp.Line, "%s", complaint)
				}
			}
		}
		if !from.support && !within(f.Path, useMachineTime...) {
			for _, use := range f.Clock {
				report(use.Line, "%s: the time comes from base/clock", use.What)
			}
		}
	}
	return offences
}

// The floor numbers that are not an index into floors.
const homeless = -1

var (
	ground = len(floors) // packages beside cmd and internal: everybody may import them, they import nothing of ours
	boot   = slices.Index(floors, "internal/boot")
)

// place is where a package stands.
type place struct {
	floor   int
	room    string // floor and package, as the table of siblings names them: "base/db"
	support bool
	// assembles: support that puts a whole node together
	assembles bool
}

func placeOf(pkg string) place {
	if within(pkg, support...) {
		return place{floor: boot, support: true, assembles: within(pkg, assemble...)} // it sees what boot sees
	}
	for i, floor := range floors {
		if within(pkg, floor) {
			words := strings.Split(strings.TrimPrefix(pkg, "internal/"), "/")
			return place{floor: i, room: strings.Join(words[:min(2, len(words))], "/")}
		}
	}
	if within(pkg, "internal") {
		return place{floor: homeless}
	}
	return place{floor: ground}
}

// direction says what is wrong with the way an import points.
func direction(from place, imported string) string {
	pkg, ours := strings.CutPrefix(imported, module+"/")
	if !ours || from.floor == homeless {
		return ""
	}
	to := placeOf(pkg)
	switch {
	case to.floor == homeless: // reported where it stands
		return ""
	case from.support && to.support:
		return ""
	case to.support:
		return fmt.Sprintf("product code imports %s, which is for tests", pkg)
	case to.floor < from.floor:
		return fmt.Sprintf("looks up to %s", pkg)
	case from.assembles && to.floor == boot:
		return ""
	case from.support && to.floor == boot:
		return fmt.Sprintf("test support imports %s; it may import what lies below boot", pkg)
	case to.floor == from.floor && to.room != from.room && !mayVisit(from.room, to.room):
		return fmt.Sprintf("%s may not import its sibling %s (table siblings)", from.room, to.room)
	}
	return ""
}

func mayVisit(from, to string) bool {
	for who, whom := range siblings {
		if matches(who, from) && slices.ContainsFunc(whom, func(pattern string) bool { return matches(pattern, to) }) {
			return true
		}
	}
	return false
}

// matches tells whether a word of the table of siblings means the room.
func matches(pattern, room string) bool {
	if floor, all := strings.CutSuffix(pattern, "/*"); all {
		return within(room, floor)
	}
	return pattern == room
}

// forbidden says what is wrong with importing that package here, whatever the direction.
func forbidden(file, imported string) string {
	switch {
	case within(file, support...):
		return ""
	case within(imported, "net/http") && !within(file, speakHTTP...):
		return fmt.Sprintf("imports %s: only surfaces, boot, cmd and base/outbound speak HTTP", imported)
	case within(imported, "math/rand") && !within(file, useChance...):
		return fmt.Sprintf("imports %s: randomness comes in through the door", imported)
	case within(imported, module+"/"+storage) && within(file, "internal/surface"):
		return fmt.Sprintf("imports %s: a surface knows no SQL", imported)
	}
	return ""
}

// within tells whether a path is one of the folders or files, or below one.
func within(name string, folders ...string) bool {
	return slices.ContainsFunc(folders, func(folder string) bool {
		return name == folder || strings.HasPrefix(name, folder+"/")
	})
}
