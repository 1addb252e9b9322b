-- A number that changes whenever somebody or something may lose or gain access: an app is suspended, a member leaves,
-- a consent is revoked. Whoever remembers what a token may do compares it, in the statement that reads the token, and
-- so can never act on what has been taken back. The database itself counts: no writer can forget to.
--
-- What hangs on a session (token exchange) is not remembered, so signing out does not count.

CREATE TABLE access_revision (
	id       BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
	revision BIGINT NOT NULL
) /*strict*/;
INSERT INTO access_revision (id, revision) VALUES (1, 1);

-- [sqlite]
CREATE TRIGGER apps_access_changed AFTER UPDATE OF client_id, client_type, scopes, deactivated_at, suspended_at, pinned_api_version ON apps
	BEGIN UPDATE access_revision SET revision = revision + 1; END;
CREATE TRIGGER apps_access_ended AFTER DELETE ON apps
	BEGIN UPDATE access_revision SET revision = revision + 1; END;
CREATE TRIGGER app_secrets_access_added AFTER INSERT ON app_secrets
	BEGIN UPDATE access_revision SET revision = revision + 1; END;
CREATE TRIGGER app_secrets_access_changed AFTER UPDATE OF app_id, hash ON app_secrets
	BEGIN UPDATE access_revision SET revision = revision + 1; END;
CREATE TRIGGER app_secrets_access_ended AFTER DELETE ON app_secrets
	BEGIN UPDATE access_revision SET revision = revision + 1; END;
CREATE TRIGGER installations_access_changed AFTER UPDATE OF status, granted_scopes, uninstalled_at, access_epoch ON installations
	BEGIN UPDATE access_revision SET revision = revision + 1; END;
CREATE TRIGGER installations_access_ended AFTER DELETE ON installations
	BEGIN UPDATE access_revision SET revision = revision + 1; END;
CREATE TRIGGER consents_access_changed AFTER UPDATE OF revoked_at ON consents
	BEGIN UPDATE access_revision SET revision = revision + 1; END;
CREATE TRIGGER consents_access_ended AFTER DELETE ON consents
	BEGIN UPDATE access_revision SET revision = revision + 1; END;
CREATE TRIGGER users_access_changed AFTER UPDATE OF suspended_at, restricted_at ON users
	BEGIN UPDATE access_revision SET revision = revision + 1; END;
CREATE TRIGGER users_access_ended AFTER DELETE ON users
	BEGIN UPDATE access_revision SET revision = revision + 1; END;
CREATE TRIGGER business_members_access_changed AFTER UPDATE ON business_members
	BEGIN UPDATE access_revision SET revision = revision + 1; END;
CREATE TRIGGER business_members_access_ended AFTER DELETE ON business_members
	BEGIN UPDATE access_revision SET revision = revision + 1; END;
CREATE TRIGGER role_overrides_access_added AFTER INSERT ON role_overrides
	BEGIN UPDATE access_revision SET revision = revision + 1; END;
CREATE TRIGGER role_overrides_access_changed AFTER UPDATE ON role_overrides
	BEGIN UPDATE access_revision SET revision = revision + 1; END;
CREATE TRIGGER role_overrides_access_ended AFTER DELETE ON role_overrides
	BEGIN UPDATE access_revision SET revision = revision + 1; END;
CREATE TRIGGER member_overrides_access_added AFTER INSERT ON member_overrides
	BEGIN UPDATE access_revision SET revision = revision + 1; END;
CREATE TRIGGER member_overrides_access_changed AFTER UPDATE ON member_overrides
	BEGIN UPDATE access_revision SET revision = revision + 1; END;
CREATE TRIGGER member_overrides_access_ended AFTER DELETE ON member_overrides
	BEGIN UPDATE access_revision SET revision = revision + 1; END;

-- [postgres]
CREATE FUNCTION access_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE access_revision SET revision = revision + 1;
	RETURN NULL;
END $$;
CREATE TRIGGER apps_access_changed AFTER UPDATE OF client_id, client_type, scopes, deactivated_at, suspended_at, pinned_api_version OR DELETE ON apps
	FOR EACH STATEMENT EXECUTE FUNCTION access_changed();
CREATE TRIGGER app_secrets_access_changed AFTER INSERT OR UPDATE OF app_id, hash OR DELETE ON app_secrets
	FOR EACH STATEMENT EXECUTE FUNCTION access_changed();
CREATE TRIGGER installations_access_changed AFTER UPDATE OF status, granted_scopes, uninstalled_at, access_epoch OR DELETE ON installations
	FOR EACH STATEMENT EXECUTE FUNCTION access_changed();
CREATE TRIGGER consents_access_changed AFTER UPDATE OF revoked_at OR DELETE ON consents
	FOR EACH STATEMENT EXECUTE FUNCTION access_changed();
CREATE TRIGGER users_access_changed AFTER UPDATE OF suspended_at, restricted_at OR DELETE ON users
	FOR EACH STATEMENT EXECUTE FUNCTION access_changed();
CREATE TRIGGER business_members_access_changed AFTER UPDATE OR DELETE ON business_members
	FOR EACH STATEMENT EXECUTE FUNCTION access_changed();
CREATE TRIGGER role_overrides_access_changed AFTER INSERT OR UPDATE OR DELETE ON role_overrides
	FOR EACH STATEMENT EXECUTE FUNCTION access_changed();
CREATE TRIGGER member_overrides_access_changed AFTER INSERT OR UPDATE OR DELETE ON member_overrides
	FOR EACH STATEMENT EXECUTE FUNCTION access_changed();
