// Package function owns hosted functions: JavaScript of an app that is run here when an event happens, on a schedule, or by hand.
//
// Tables: functions, function_versions, function_config, function_runs. It reads, and never writes, apps, installations and businesses.
//
// A function hears of events by a row in webhooks that bears its id (webhook.PutTarget), so the gate, the queue, the retries and
// redelivery are those of webhooks; what an attempt is, Service.Run says. Sources run in child processes (base/script). What a
// function asks for by ctx.api goes through API: the same pipeline, scopes and limits as for every app.
//
// Invariants: a version never changes; what runs is the active version of a function that is ACTIVE; every counted attempt of a
// delivery has exactly one run, written in the same transaction; 50 failures in a row switch a function off, and nothing else does
// by itself.
package function
