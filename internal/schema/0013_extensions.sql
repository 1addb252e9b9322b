-- Pages of apps that are shown inside a business's own.

-- platform/extension
CREATE TABLE app_extensions (
	id            TEXT   NOT NULL PRIMARY KEY,
	app_id        TEXT   NOT NULL REFERENCES apps (id),
	kind          TEXT   NOT NULL, -- PAGE, PANEL, TAB, ACTION
	resource_type TEXT, -- the sort of record that it stands beside; null: a PAGE, which stands for itself
	label         TEXT   NOT NULL,
	path          TEXT   NOT NULL, -- relative to the App URL
	enabled       BIGINT NOT NULL CHECK (enabled IN (0, 1)),
	version       BIGINT NOT NULL,
	created_at    BIGINT NOT NULL,
	updated_at    BIGINT NOT NULL,
	CHECK ((kind = 'PAGE') = (resource_type IS NULL))
) /*strict*/;
CREATE INDEX app_extensions_app ON app_extensions (app_id, id);
