-- The marketplace: what apps show of themselves, and what reviewers decide about it.

-- platform/app: the scopes that a review has seen, space separated. What is restricted or gives personal data, and was registered later,
-- is not granted outside of sandboxes until another review.
ALTER TABLE apps ADD COLUMN approved_scopes TEXT NOT NULL DEFAULT '';
UPDATE apps SET approved_scopes = scopes WHERE review_status = 'APPROVED';

-- platform/listing
CREATE TABLE listings (
	id          TEXT   NOT NULL PRIMARY KEY,
	app_id      TEXT   NOT NULL REFERENCES apps (id),
	slug        TEXT   NOT NULL, -- its address in the marketplace
	unlisted_at BIGINT, -- the developer's switch: hidden
	-- of the live revision, for those who browse; null: nothing is live
	live_id     TEXT,
	category    TEXT,
	sort_key    TEXT, -- the name, folded: the order of the list
	words       TEXT, -- of name, tagline and description, folded, each once, with a space before and behind
	version     BIGINT NOT NULL,
	created_at  BIGINT NOT NULL,
	updated_at  BIGINT NOT NULL
) /*strict*/;
CREATE UNIQUE INDEX listings_app ON listings (app_id);
CREATE UNIQUE INDEX listings_slug ON listings (slug);
CREATE INDEX listings_browse ON listings (sort_key, id) WHERE live_id IS NOT NULL;

CREATE TABLE listing_revisions (
	id              TEXT   NOT NULL PRIMARY KEY,
	listing_id      TEXT   NOT NULL REFERENCES listings (id),
	app_id          TEXT   NOT NULL,
	number          BIGINT NOT NULL, -- 1, 2… of its listing
	state           TEXT   NOT NULL, -- DRAFT, SUBMITTED, IN_REVIEW, CHANGES_REQUESTED, REJECTED, PUBLISHED, SUPERSEDED, DISCARDED
	content         TEXT   NOT NULL, -- JSON: what the listing says
	snapshot        TEXT, -- JSON: the app as it was submitted
	preflight       TEXT, -- JSON: what the checks said the last time
	preflighted_at  BIGINT,
	submitted_at    BIGINT,
	submitted_by    TEXT,
	reviewer_id     TEXT, -- who has claimed it, or decided
	decided_at      BIGINT,
	notes           TEXT, -- what the reviewer wants changed, or why it was rejected
	version         BIGINT NOT NULL,
	created_at      BIGINT NOT NULL,
	updated_at      BIGINT NOT NULL
) /*strict*/;
CREATE UNIQUE INDEX listing_revisions_number ON listing_revisions (listing_id, number);
-- The database counts: one that is worked on, and one that is live.
CREATE UNIQUE INDEX listing_revisions_open ON listing_revisions (listing_id)
	WHERE state IN ('DRAFT', 'SUBMITTED', 'IN_REVIEW', 'CHANGES_REQUESTED', 'REJECTED');
CREATE UNIQUE INDEX listing_revisions_live ON listing_revisions (listing_id) WHERE state = 'PUBLISHED';
CREATE INDEX listing_revisions_queue ON listing_revisions (submitted_at, id) WHERE state IN ('SUBMITTED', 'IN_REVIEW');
CREATE INDEX listing_revisions_discarded ON listing_revisions (updated_at) WHERE state = 'DISCARDED';

CREATE TABLE listing_comments (
	id          TEXT   NOT NULL PRIMARY KEY, -- sorts by time
	revision_id TEXT   NOT NULL REFERENCES listing_revisions (id),
	side        TEXT   NOT NULL, -- DEVELOPER, REVIEWER
	author_id   TEXT   NOT NULL,
	text        TEXT   NOT NULL,
	created_at  BIGINT NOT NULL
) /*strict*/;
CREATE INDEX listing_comments_revision ON listing_comments (revision_id, id);

-- platform/asset: pictures, as we encoded them. The content is last, so that lists do not read it.
CREATE TABLE assets (
	id         TEXT   NOT NULL PRIMARY KEY,
	app_id     TEXT   NOT NULL REFERENCES apps (id),
	kind       TEXT   NOT NULL, -- ICON, SCREENSHOT
	hash       TEXT   NOT NULL, -- SHA-256 of the content, in hexadecimal digits: its address
	media      TEXT   NOT NULL, -- image/png, image/jpeg
	width      BIGINT NOT NULL,
	height     BIGINT NOT NULL,
	size       BIGINT NOT NULL, -- bytes
	created_at BIGINT NOT NULL,
	content    BYTEA  NOT NULL
) /*strict*/;
CREATE UNIQUE INDEX assets_app ON assets (app_id, kind, hash);
CREATE INDEX assets_hash ON assets (hash);

-- platform/webhook: whether an app has received what it must act on is asked of a month of its deliveries. These are rare.
CREATE INDEX deliveries_privacy ON deliveries (webhook_id, type, id) WHERE type IN ('business.redact', 'customer.redact', 'supplier.redact');
