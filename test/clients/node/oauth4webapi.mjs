// oauth4webapi, the low-level library: each request and each answer by itself, so the refusals can be looked at too.
import { checkTokens, facts, refused, step } from './world.mjs';
import { developer, owner } from './person.mjs';
import assert from 'node:assert/strict';
import * as oauth from 'oauth4webapi';

const { confidential, public: open, redirectUri, scope } = facts;
const options = { [oauth.allowInsecureRequests]: facts.insecure };

const as = await step('discovery, with the issuer equal to the address', async () => {
  const issuer = new URL(facts.baseUrl);
  const found = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { ...options, algorithm: 'oauth2' }));
  assert.equal(found.issuer, facts.baseUrl);
  return found;
});

const app = { client_id: confidential.id };
const basic = oauth.ClientSecretBasic(confidential.secret);

/** The code flow with PKCE, up to the answer of the token endpoint. redeem sends the code; a second time is a replay. */
async function ask(client, authentication, person) {
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const link = new URL(as.authorization_endpoint);
  link.search = new URLSearchParams({
    client_id: client.client_id, response_type: 'code', redirect_uri: redirectUri, scope, state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256',
  });
  const answer = oauth.validateAuthResponse(as, client, await person.decide(link), state);
  return async (withVerifier = verifier) => {
    const response = await oauth.authorizationCodeGrantRequest(as, client, authentication, answer, redirectUri, withVerifier, options);
    return oauth.processAuthorizationCodeResponse(as, client, response);
  };
}

async function codeFlow(client, authentication, person) {
  const redeem = await ask(client, authentication, person);
  const tokens = await redeem();
  checkTokens(tokens);
  return tokens;
}

async function refresh(client, authentication, token) {
  return oauth.processRefreshTokenResponse(as, client, await oauth.refreshTokenGrantRequest(as, client, authentication, token, options));
}

async function introspect(token, authentication = basic) {
  const response = await oauth.introspectionRequest(as, app, authentication, token, options);
  return oauth.processIntrospectionResponse(as, app, response);
}

async function revoke(client, authentication, token) {
  await oauth.processRevocationResponse(await oauth.revocationRequest(as, client, authentication, token, options));
}

await step('code, refresh, introspection and revocation of a confidential app', async () => {
  const tokens = await codeFlow(app, basic, owner);
  const next = await refresh(app, basic, tokens.refresh_token);
  checkTokens(next);
  assert.equal((await introspect(next.access_token)).active, true);
  await revoke(app, basic, next.access_token);
  assert.deepEqual(await introspect(next.access_token), { active: false });
});

await step('code, refresh and revocation of a public app', async () => {
  const client = { client_id: open.id };
  const tokens = await codeFlow(client, oauth.None(), owner);
  const next = await refresh(client, oauth.None(), tokens.refresh_token);
  checkTokens(next);
  await revoke(client, oauth.None(), next.refresh_token);
  await refused('invalid_grant', refresh(client, oauth.None(), next.refresh_token));
});

await step('a wrong verifier, the right one, and a replay', async () => {
  const redeem = await ask(app, basic, owner);
  const wrong = await refused('invalid_grant', redeem(oauth.generateRandomCodeVerifier()));
  assert.equal(wrong.error_description, 'PKCE verification failed');
  const tokens = await redeem();
  const replay = await refused('invalid_grant', redeem());
  assert.equal(replay.error_description, 'code already used');
  assert.equal((await introspect(tokens.access_token)).active, false); // a full replay burns what the code gave
});

await step('a wrong secret: the challenge after Basic, the body without it', async () => {
  const challenge = await introspect('whatever', oauth.ClientSecretBasic('wrong')).then(() => assert.fail('was accepted'), (e) => e);
  if (challenge.code !== oauth.WWW_AUTHENTICATE_CHALLENGE) throw challenge;
  assert.equal(challenge.status, 401);
  assert.equal(challenge.cause[0].scheme, 'basic');
  assert.ok(challenge.cause[0].parameters.realm);
  const body = await refused('invalid_client', refresh(app, oauth.ClientSecretPost('wrong'), 'whatever'));
  assert.equal(body.status, 401);
});

await step('registration of a confidential and of a public app, and their code flows', async () => {
  for (const method of ['client_secret_basic', 'client_secret_post', 'none']) {
    const metadata = { redirect_uris: [redirectUri], client_name: 'Registered by oauth4webapi', scope, token_endpoint_auth_method: method };
    const response = await oauth.dynamicClientRegistrationRequest(as, metadata, options);
    const client = await oauth.processDynamicClientRegistrationResponse(response);
    assert.equal(client.token_endpoint_auth_method, method);
    const authentication = {
      client_secret_basic: oauth.ClientSecretBasic, client_secret_post: oauth.ClientSecretPost, none: oauth.None,
    }[method](client.client_secret);
    const tokens = await codeFlow(client, authentication, developer);
    checkTokens(await refresh(client, authentication, tokens.refresh_token));
  }
});

await step('a registration that must fail', async () => {
  const response = await oauth.dynamicClientRegistrationRequest(as, { redirect_uris: ['http://app.example/callback'] }, options);
  await refused('invalid_redirect_uri', oauth.processDynamicClientRegistrationResponse(response));
});

await step('device: pending, too fast, approved, collected once', async () => {
  const started = await oauth.deviceAuthorizationRequest(as, app, basic, { scope }, options);
  const device = await oauth.processDeviceAuthorizationResponse(as, app, started);
  const poll = async () => {
    const response = await oauth.deviceCodeGrantRequest(as, app, basic, device.device_code, options);
    return oauth.processDeviceCodeResponse(as, app, response);
  };
  await refused('authorization_pending', poll());
  await refused('slow_down', poll());
  await owner.decideDevice(device.user_code);
  checkTokens(await poll());
  await refused('invalid_grant', poll());
});
