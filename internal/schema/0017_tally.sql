-- What is counted for later looks.

-- platform/tally: how many deliveries were made in an hour, once it is over, so that what developers look at need not count millions of
-- them. What became of them is not here: few have failed or wait, and those have their indexes.
CREATE TABLE delivery_counts (
	webhook_id  TEXT   NOT NULL,
	business_id TEXT   NOT NULL, -- empty: of all businesses together
	begins_at   BIGINT NOT NULL, -- the hour, by the ids of its deliveries
	made        BIGINT NOT NULL,
	PRIMARY KEY (webhook_id, business_id, begins_at)
) /*strict, by key*/;
CREATE INDEX delivery_counts_age ON delivery_counts (begins_at);

-- One row: hours before that instant are counted. Who removes single deliveries raises removals, so that none is counted meanwhile.
CREATE TABLE delivery_counting (
	id            BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
	counted_until BIGINT NOT NULL,
	removals      BIGINT NOT NULL
) /*strict*/;
INSERT INTO delivery_counting (id, counted_until, removals) VALUES (1, 0, 0);

-- Those of one business that failed are counted without reading them, like those of all.
CREATE INDEX deliveries_failed_business ON deliveries (webhook_id, business_id, id) WHERE status = 'failed';

-- platform/usage: a call stands in its hour and in its day as soon as its minute is over, and no longer in one or the other. Hours of days that have no rows
-- yet, or only some of their hours, are added to them.
INSERT INTO usage_counts AS t (app_id, begins_at, span, business_id, method, route, status, version, calls, rate_limited, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15)
	SELECT app_id, begins_at - begins_at % 86400000, 86400000, business_id, method, route, status, version, CAST(sum(calls) AS BIGINT), CAST(sum(rate_limited) AS BIGINT),
		CAST(sum(b0) AS BIGINT), CAST(sum(b1) AS BIGINT), CAST(sum(b2) AS BIGINT), CAST(sum(b3) AS BIGINT), CAST(sum(b4) AS BIGINT), CAST(sum(b5) AS BIGINT), CAST(sum(b6) AS BIGINT), CAST(sum(b7) AS BIGINT),
		CAST(sum(b8) AS BIGINT), CAST(sum(b9) AS BIGINT), CAST(sum(b10) AS BIGINT), CAST(sum(b11) AS BIGINT), CAST(sum(b12) AS BIGINT), CAST(sum(b13) AS BIGINT), CAST(sum(b14) AS BIGINT), CAST(sum(b15) AS BIGINT)
	FROM usage_counts WHERE span = 3600000 GROUP BY app_id, begins_at - begins_at % 86400000, business_id, method, route, status, version
	ON CONFLICT (app_id, begins_at, span, business_id, method, route, status, version) DO UPDATE SET calls = t.calls + excluded.calls, rate_limited = t.rate_limited + excluded.rate_limited,
		b0 = t.b0 + excluded.b0, b1 = t.b1 + excluded.b1, b2 = t.b2 + excluded.b2, b3 = t.b3 + excluded.b3, b4 = t.b4 + excluded.b4, b5 = t.b5 + excluded.b5, b6 = t.b6 + excluded.b6, b7 = t.b7 + excluded.b7, b8 = t.b8 + excluded.b8, b9 = t.b9 + excluded.b9, b10 = t.b10 + excluded.b10, b11 = t.b11 + excluded.b11, b12 = t.b12 + excluded.b12, b13 = t.b13 + excluded.b13, b14 = t.b14 + excluded.b14, b15 = t.b15 + excluded.b15;
INSERT INTO usage_totals AS t (app_id, begins_at, span, business_id, method, route, status, version, calls, rate_limited, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15)
	SELECT app_id, begins_at - begins_at % 86400000, 86400000, business_id, method, route, status, version, CAST(sum(calls) AS BIGINT), CAST(sum(rate_limited) AS BIGINT),
		CAST(sum(b0) AS BIGINT), CAST(sum(b1) AS BIGINT), CAST(sum(b2) AS BIGINT), CAST(sum(b3) AS BIGINT), CAST(sum(b4) AS BIGINT), CAST(sum(b5) AS BIGINT), CAST(sum(b6) AS BIGINT), CAST(sum(b7) AS BIGINT),
		CAST(sum(b8) AS BIGINT), CAST(sum(b9) AS BIGINT), CAST(sum(b10) AS BIGINT), CAST(sum(b11) AS BIGINT), CAST(sum(b12) AS BIGINT), CAST(sum(b13) AS BIGINT), CAST(sum(b14) AS BIGINT), CAST(sum(b15) AS BIGINT)
	FROM usage_totals WHERE span = 3600000 GROUP BY app_id, begins_at - begins_at % 86400000, business_id, method, route, status, version
	ON CONFLICT (app_id, begins_at, span, business_id, method, route, status, version) DO UPDATE SET calls = t.calls + excluded.calls, rate_limited = t.rate_limited + excluded.rate_limited,
		b0 = t.b0 + excluded.b0, b1 = t.b1 + excluded.b1, b2 = t.b2 + excluded.b2, b3 = t.b3 + excluded.b3, b4 = t.b4 + excluded.b4, b5 = t.b5 + excluded.b5, b6 = t.b6 + excluded.b6, b7 = t.b7 + excluded.b7, b8 = t.b8 + excluded.b8, b9 = t.b9 + excluded.b9, b10 = t.b10 + excluded.b10, b11 = t.b11 + excluded.b11, b12 = t.b12 + excluded.b12, b13 = t.b13 + excluded.b13, b14 = t.b14 + excluded.b14, b15 = t.b15 + excluded.b15;
CREATE INDEX usage_totals_days ON usage_totals (app_id, begins_at) WHERE span = 86400000;
CREATE INDEX usage_counts_days ON usage_counts (app_id, business_id, begins_at) WHERE span = 86400000;
