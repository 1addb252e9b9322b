-- Partner apps and where they are installed.

-- platform/app
CREATE TABLE apps (
	id                 TEXT   NOT NULL PRIMARY KEY,
	organization_id    TEXT REFERENCES organizations (id), -- null: registered by itself, not yet adopted
	origin             TEXT   NOT NULL, -- CONSOLE, REGISTRATION, DOCUMENT
	name               TEXT   NOT NULL,
	description        TEXT,
	app_url            TEXT,
	support_email      TEXT,
	privacy_url        TEXT,
	terms_url          TEXT,
	client_id          TEXT   NOT NULL,
	client_type        TEXT   NOT NULL, -- CONFIDENTIAL, PUBLIC
	redirect_uris      TEXT   NOT NULL, -- JSON array
	scopes             TEXT   NOT NULL, -- registered scopes, space separated
	review_status      TEXT   NOT NULL, -- UNREVIEWED, APPROVED, REVOKED
	deactivated_at     BIGINT, -- the developer's switch
	suspended_at       BIGINT, -- the operator's switch
	suspension_reason  TEXT,
	pinned_api_version TEXT,
	version            BIGINT NOT NULL,
	created_at         BIGINT NOT NULL,
	updated_at         BIGINT NOT NULL
) /*strict*/;
CREATE UNIQUE INDEX apps_client ON apps (client_id);
CREATE INDEX apps_organization ON apps (organization_id, id);

CREATE TABLE app_secrets (
	id           TEXT   NOT NULL PRIMARY KEY,
	app_id       TEXT   NOT NULL REFERENCES apps (id),
	slot         BIGINT NOT NULL CHECK (slot IN (1, 2)), -- two at a time, so that a change needs no pause
	hash         BYTEA  NOT NULL,
	created_at   BIGINT NOT NULL,
	last_used_at BIGINT
) /*strict*/;
CREATE UNIQUE INDEX app_secrets_slot ON app_secrets (app_id, slot);

-- platform/install
CREATE TABLE installations (
	id             TEXT   NOT NULL PRIMARY KEY,
	business_id    TEXT   NOT NULL REFERENCES businesses (id),
	app_id         TEXT   NOT NULL REFERENCES apps (id),
	status         TEXT   NOT NULL, -- ACTIVE, UNINSTALLED
	granted_scopes TEXT   NOT NULL, -- space separated
	installed_at   BIGINT NOT NULL,
	uninstalled_at BIGINT,
	redact_at      BIGINT, -- when the app's data in this business is erased
	last_used_at   BIGINT,
	access_epoch   BIGINT NOT NULL, -- counts up when the business revokes access: tokens of an earlier one are dead
	version        BIGINT NOT NULL,
	updated_at     BIGINT NOT NULL
) /*strict*/;
CREATE UNIQUE INDEX installations_active ON installations (business_id, app_id) WHERE status = 'ACTIVE';
CREATE INDEX installations_app ON installations (app_id, id);
CREATE INDEX installations_redact ON installations (redact_at) WHERE redact_at IS NOT NULL;

CREATE TABLE consents (
	id              TEXT   NOT NULL PRIMARY KEY,
	installation_id TEXT   NOT NULL REFERENCES installations (id),
	user_id         TEXT   NOT NULL REFERENCES users (id),
	scopes          TEXT   NOT NULL,
	granted_at      BIGINT NOT NULL,
	revoked_at      BIGINT
) /*strict*/;
-- one live consent per user and installation; revoked ones stay as history
CREATE UNIQUE INDEX consents_live ON consents (installation_id, user_id) WHERE revoked_at IS NULL;
