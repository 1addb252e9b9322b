# `make` alone lists the targets.

# Packages tested at once. They share one PostgreSQL with 200 connections.
TEST_P ?= 4
# How often `make fuzz` runs each target; a time such as 30s is fine too.
FUZZ_COUNT ?= 20000x

GO_TEST = go test -count=1 -timeout 15m -p $(TEST_P)
# What takes long goes first, beside everything else.
LONG = ./test/contract ./test/browser ./internal/books/payment ./test/torture ./test/cli ./internal/platform/oauth
SERVICES = scripts/test-services run --

.DEFAULT_GOAL := help
.PHONY: help run build test test-quick test-race lint openapi bench logs torture isolation pages screenshots races sequences events tenants generated growth fuzz clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' $(MAKEFILE_LIST) | \
		while IFS='|' read -r name text; do printf '  make %-11s %s\n' "$$name" "$$text"; done

run: ## the whole platform on loopback, with a demo world
	go run ./cmd/daybook dev

VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo development)
COMMIT ?= $(shell git rev-parse HEAD 2>/dev/null || echo unknown)

build: ## bin/daybook, without cgo
	CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X main.release=$(VERSION) -X main.commit=$(COMMIT)" -o bin/daybook ./cmd/daybook

# As the program is built, so that nothing is compiled twice.
test: export CGO_ENABLED = 0
test: export DAYBOOK_TEST_IN_MEMORY = 1
test: lint ## everything: lint, all tests on SQLite, PostgreSQL, Redis, Chromium and Node.js, a short run of every fuzz target
	go build -o bin/daybook-tested ./cmd/daybook
	DAYBOOK_TEST_BINARY=$(CURDIR)/bin/daybook-tested $(SERVICES) $(GO_TEST) -vet=off $(LONG) ./...
	scripts/fuzz --blind 1000x

test-quick: ## all tests that need no service; the others say that they skip
	$(GO_TEST) ./...

test-race: ## all tests, with services, under the race detector (needs a C compiler)
	@command -v "$$(go env CC)" >/dev/null || { \
		echo "test-race: the race detector needs a C compiler, and there is no $$(go env CC) (Debian: apt-get install gcc libc6-dev)" >&2; exit 1; }
	CGO_ENABLED=1 $(SERVICES) $(GO_TEST) -race ./...

lint: ## gofmt, go vet, staticcheck
	@files=$$(gofmt -l .) || exit 1; \
		if [ -n "$$files" ]; then echo "not formatted by gofmt:" >&2; echo "$$files" >&2; exit 1; fi
	go vet ./...
	go tool staticcheck ./...

openapi: ## write api/openapi.json and api/console-openapi.json from the routes
	DAYBOOK_WRITE_OPENAPI=1 go test -count=1 ./api

bench: ## measure against a bare server in the same run
	$(SERVICES) go run ./test/bench

growth: ## the same measures, and what calls cost in a business with a million invoices
	DAYBOOK_BENCH_GROWTH=1000000 $(SERVICES) go run ./test/bench

logs: ## what pages of the console cost with a million deliveries and ten million calls of one app
	DAYBOOK_BENCH_LOGS=1000000,10000000 $(SERVICES) go run ./test/bench -only console

torture: ## kill -9 the real binary 1,000 times during writes and 200 times while it sends webhooks, on each store
	DAYBOOK_TORTURE_KILLS=1000 DAYBOOK_TORTURE_HOOK_KILLS=200 $(SERVICES) go test -count=1 -timeout 120m ./test/torture

isolation: ## what receivers that are slow or hostile cost the others: 200 endpoints, on each store
	DAYBOOK_TORTURE_HOOK_FIGURES=3 $(SERVICES) go test -count=1 -timeout 60m -v -run HookIsolationFigures ./test/torture

pages: ## every question of every page in the browser, on each store, pictures of them with DAYBOOK_SCREENSHOTS
	DAYBOOK_EVERY_PAGE=1 $(SERVICES) go test -count=1 -timeout 60m -run 'EveryPage|Business' ./test/browser
	DAYBOOK_EVERY_PAGE=1 DAYBOOK_PAGES_STORE=PostgreSQL $(SERVICES) go test -count=1 -timeout 60m -run 'EveryPage|Business' ./test/browser

screenshots: ## the ten main pages into screenshots/, light and dark, wide and on a phone
	mkdir -p screenshots
	DAYBOOK_SCREENSHOTS=$(CURDIR)/screenshots $(SERVICES) go test -count=1 -timeout 30m -run Screenshots ./test/browser

races: ## 100,000 rounds of racers for each code and token, on each store; 20,000 between two processes
	DAYBOOK_RACE_ROUNDS=100000 $(SERVICES) go test -count=1 -timeout 300m -run OneOfMany ./internal/platform/oauth
	DAYBOOK_RACE_ROUNDS=20000 $(SERVICES) go test -count=1 -timeout 300m -run TestTwoProcessesRace ./test/torture

sequences: ## 100,000 random sequences of operations on the books, on each store
	DAYBOOK_BOOKS_SEQUENCES=100000 $(SERVICES) go test -count=1 -timeout 300m -run TheBooksAgree ./internal/books/payment

events: ## 16 writers and 4 readers of events for 30 seconds, on each store
	DAYBOOK_EVENT_SECONDS=30 $(SERVICES) go test -count=1 -timeout 10m -run TestEventsAreReadOnceAndInOrder ./test/contract

tenants: ## 100,000 calls across tenants, on each store
	DAYBOOK_TENANT_CALLS=100000 $(SERVICES) go test -count=1 -timeout 60m -run Tenant ./test/tenants

generated: ## 100,000 requests made from the OpenAPI document, on each store
	DAYBOOK_GENERATED_REQUESTS=100000 $(SERVICES) go test -count=1 -timeout 60m -run Promises ./test/generated

fuzz: ## run every fuzz target FUZZ_COUNT times (default 20000x)
	scripts/fuzz $(FUZZ_COUNT)

clean: ## remove what was built, and the services that scripts/test-services left running
	scripts/test-services down
	rm -rf bin
