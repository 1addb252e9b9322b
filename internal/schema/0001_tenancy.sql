-- Who exists. Instants are milliseconds since 1970 UTC; flags are 0 or 1.

-- boot: proof that the key file fits this database
CREATE TABLE sealing_keys (
	id         TEXT   NOT NULL PRIMARY KEY,
	proof      BYTEA  NOT NULL,
	created_at BIGINT NOT NULL
) /*strict*/;

-- tenancy/identity
CREATE TABLE users (
	id            TEXT   NOT NULL PRIMARY KEY,
	email         TEXT   NOT NULL,
	email_key     TEXT   NOT NULL, -- lower case: one account per address
	display_name  TEXT   NOT NULL,
	locale        TEXT   NOT NULL,
	password_hash TEXT   NOT NULL,
	operator      BIGINT NOT NULL,
	suspended_at  BIGINT,
	restricted_at BIGINT, -- processing restriction
	version       BIGINT NOT NULL,
	created_at    BIGINT NOT NULL,
	updated_at    BIGINT NOT NULL
) /*strict*/;
CREATE UNIQUE INDEX users_email ON users (email_key);

-- tenancy/organization
CREATE TABLE organizations (
	id         TEXT   NOT NULL PRIMARY KEY,
	name       TEXT   NOT NULL,
	version    BIGINT NOT NULL,
	created_at BIGINT NOT NULL,
	updated_at BIGINT NOT NULL
) /*strict*/;

CREATE TABLE organization_members (
	organization_id TEXT   NOT NULL REFERENCES organizations (id),
	user_id         TEXT   NOT NULL REFERENCES users (id),
	role            TEXT   NOT NULL, -- OWNER, DEVELOPER, VIEWER
	created_at      BIGINT NOT NULL,
	PRIMARY KEY (organization_id, user_id)
) /*strict*/;
CREATE INDEX organization_members_user ON organization_members (user_id);

-- tenancy/business
CREATE TABLE businesses (
	id         TEXT   NOT NULL PRIMARY KEY,
	name       TEXT   NOT NULL,
	legal_name TEXT,
	country    TEXT   NOT NULL, -- ISO 3166-1 alpha-2
	currency   TEXT   NOT NULL, -- ISO 4217
	time_zone  TEXT   NOT NULL, -- IANA name
	tax_number TEXT,
	plan       TEXT   NOT NULL,
	sandbox_of TEXT REFERENCES organizations (id), -- null: a real business
	version    BIGINT NOT NULL,
	created_at BIGINT NOT NULL,
	updated_at BIGINT NOT NULL
) /*strict*/;
CREATE INDEX businesses_sandbox ON businesses (sandbox_of) WHERE sandbox_of IS NOT NULL;

CREATE TABLE business_members (
	business_id TEXT   NOT NULL REFERENCES businesses (id),
	user_id     TEXT   NOT NULL REFERENCES users (id),
	role        TEXT   NOT NULL, -- OWNER, ADMIN, ACCOUNTANT, STAFF, VIEWER
	created_at  BIGINT NOT NULL,
	PRIMARY KEY (business_id, user_id)
) /*strict*/;
CREATE INDEX business_members_user ON business_members (user_id);

CREATE TABLE role_overrides (
	business_id TEXT NOT NULL REFERENCES businesses (id),
	role        TEXT NOT NULL,
	permission  TEXT NOT NULL,
	effect      TEXT NOT NULL, -- GRANT, DENY
	PRIMARY KEY (business_id, role, permission)
) /*strict*/;

CREATE TABLE member_overrides (
	business_id TEXT NOT NULL,
	user_id     TEXT NOT NULL,
	permission  TEXT NOT NULL,
	effect      TEXT NOT NULL,
	PRIMARY KEY (business_id, user_id, permission),
	-- a member who leaves takes the overrides along
	FOREIGN KEY (business_id, user_id) REFERENCES business_members (business_id, user_id) ON DELETE CASCADE
) /*strict*/;

-- tenancy/identity
CREATE TABLE sessions (
	id           TEXT   NOT NULL PRIMARY KEY,
	token_hash   BYTEA  NOT NULL, -- the cookie's value is kept nowhere
	user_id      TEXT   NOT NULL REFERENCES users (id),
	business_id  TEXT, -- the current one; whether the user still belongs to it is asked at each use
	created_at   BIGINT NOT NULL,
	last_seen_at BIGINT NOT NULL,
	expires_at   BIGINT NOT NULL -- the absolute end
) /*strict*/;
CREATE UNIQUE INDEX sessions_token ON sessions (token_hash);
CREATE INDEX sessions_user ON sessions (user_id);
CREATE INDEX sessions_expiry ON sessions (expires_at);
CREATE INDEX sessions_idle ON sessions (last_seen_at);

-- boot/fixture: which record each key of a loaded fixture became, so that loading it again changes nothing
CREATE TABLE fixture_keys (
	kind TEXT NOT NULL,
	name TEXT NOT NULL,
	id   TEXT NOT NULL,
	PRIMARY KEY (kind, name)
) /*strict*/;
