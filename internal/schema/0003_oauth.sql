-- Authorization. All tables here belong to platform/oauth. Secrets are kept as keyed hashes only.

CREATE TABLE signing_keys (
	id         TEXT   NOT NULL PRIMARY KEY, -- kid
	sealed     BYTEA  NOT NULL, -- the private key
	public     TEXT   NOT NULL, -- JWK
	created_at BIGINT NOT NULL,
	signs_from BIGINT NOT NULL -- published before it signs, so that verifiers know it in time
) /*strict*/;
CREATE INDEX signing_keys_from ON signing_keys (signs_from);

CREATE TABLE authorization_requests (
	hash           BYTEA  NOT NULL PRIMARY KEY,
	session_id     TEXT   NOT NULL, -- only the browser that made it may decide it
	app_id         TEXT   NOT NULL REFERENCES apps (id),
	redirect_uri   TEXT   NOT NULL,
	scopes         TEXT   NOT NULL,
	state          TEXT,
	code_challenge TEXT   NOT NULL, -- empty: none
	resource       TEXT   NOT NULL,
	expires_at     BIGINT NOT NULL,
	decided_at     BIGINT
) /*strict*/;
CREATE INDEX authorization_requests_expiry ON authorization_requests (expires_at);

CREATE TABLE authorization_codes (
	hash            BYTEA  NOT NULL PRIMARY KEY,
	app_id          TEXT   NOT NULL,
	installation_id TEXT   NOT NULL,
	consent_id      TEXT   NOT NULL,
	user_id         TEXT   NOT NULL,
	redirect_uri    TEXT   NOT NULL,
	scopes          TEXT   NOT NULL,
	code_challenge  TEXT   NOT NULL,
	expires_at      BIGINT NOT NULL,
	used_at         BIGINT,
	family_id       TEXT -- what the redemption made
) /*strict*/;
CREATE INDEX authorization_codes_expiry ON authorization_codes (expires_at);

CREATE TABLE device_codes (
	hash            BYTEA  NOT NULL PRIMARY KEY,
	user_code       TEXT   NOT NULL,
	app_id          TEXT   NOT NULL REFERENCES apps (id),
	scopes          TEXT   NOT NULL,
	status          TEXT   NOT NULL, -- PENDING, APPROVED, DENIED, CONSUMED
	place           TEXT   NOT NULL, -- the network the request came from, for the person to compare
	created_at      BIGINT NOT NULL,
	expires_at      BIGINT NOT NULL,
	polled_at       BIGINT,
	installation_id TEXT,
	consent_id      TEXT,
	user_id         TEXT
) /*strict*/;
CREATE UNIQUE INDEX device_codes_user_code ON device_codes (user_code);
CREATE INDEX device_codes_expiry ON device_codes (expires_at);

-- one row per person who ever typed a code: taken first, so that guesses are counted one after another
CREATE TABLE device_guessers (user_id TEXT NOT NULL PRIMARY KEY) /*strict*/;

-- wrong user codes per person; exact on any number of nodes
CREATE TABLE device_guesses (
	user_id    TEXT   NOT NULL,
	guessed_at BIGINT NOT NULL,
	id         TEXT   NOT NULL,
	PRIMARY KEY (user_id, guessed_at, id)
) /*strict*/;
CREATE INDEX device_guesses_age ON device_guesses (guessed_at);

CREATE TABLE token_families (
	id                TEXT   NOT NULL PRIMARY KEY,
	app_id            TEXT   NOT NULL,
	business_id       TEXT   NOT NULL,
	installation_id   TEXT   NOT NULL,
	user_id           TEXT   NOT NULL,
	consent_id        TEXT, -- null: token exchange needs no consent of its own
	session_id        TEXT, -- token exchange: dies with the session
	access_epoch      BIGINT NOT NULL, -- token exchange: the installation's when it was made
	scopes            TEXT   NOT NULL, -- of the grant
	access_hash       BYTEA  NOT NULL, -- the one access token that counts
	access_scopes     TEXT   NOT NULL,
	access_expires_at BIGINT NOT NULL,
	access_fresh      BIGINT NOT NULL, -- 1 until first used, kept only where an idempotent refresh asks
	refresh_hash      BYTEA, -- the one refresh token that counts
	created_at        BIGINT NOT NULL,
	ends_at           BIGINT NOT NULL, -- when its last token expires
	revoked_at        BIGINT
) /*strict*/;
CREATE UNIQUE INDEX token_families_access ON token_families (access_hash);
CREATE INDEX token_families_installation ON token_families (installation_id);
CREATE INDEX token_families_end ON token_families (ends_at);

CREATE TABLE refresh_tokens (
	hash         BYTEA  NOT NULL PRIMARY KEY,
	family_id    TEXT   NOT NULL REFERENCES token_families (id) ON DELETE CASCADE,
	created_at   BIGINT NOT NULL,
	expires_at   BIGINT NOT NULL,
	answer       BYTEA, -- sealed under this token and the caller's key, for an idempotent refresh
	answer_until BIGINT
) /*strict*/;
CREATE INDEX refresh_tokens_family ON refresh_tokens (family_id);
CREATE INDEX refresh_tokens_expiry ON refresh_tokens (expires_at);

-- session tokens that were exchanged
CREATE TABLE session_tokens (
	jti        TEXT   NOT NULL PRIMARY KEY,
	expires_at BIGINT NOT NULL
) /*strict*/;
CREATE INDEX session_tokens_expiry ON session_tokens (expires_at);

CREATE TABLE client_documents (
	client_id   TEXT   NOT NULL PRIMARY KEY, -- the address
	app_id      TEXT   NOT NULL REFERENCES apps (id),
	fresh_until BIGINT NOT NULL
) /*strict*/;
