// openid-client, the high-level library: it checks every answer strictly and picks the requests itself.
import { checkTokens, facts, refused, step } from './world.mjs';
import { developer, owner } from './person.mjs';
import assert from 'node:assert/strict';
import * as oidc from 'openid-client';
import { createRemoteJWKSet, jwtVerify } from 'jose';

const { confidential, public: open, redirectUri, scope } = facts;
const options = { algorithm: 'oauth2', execute: facts.insecure ? [oidc.allowInsecureRequests] : [] };
const discover = (id, authentication) => oidc.discovery(new URL(facts.baseUrl), id, undefined, authentication, options);

/** The code flow with PKCE, up to the callback. */
async function callback(config, person, parameters = {}, decision = 'allow') {
  const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
  const expectedState = oidc.randomState();
  const link = oidc.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri, scope, state: expectedState,
    code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier), code_challenge_method: 'S256', ...parameters,
  });
  return [await person.decide(link, decision), { pkceCodeVerifier, expectedState }];
}

async function codeFlow(config, person) {
  const tokens = await oidc.authorizationCodeGrant(config, ...(await callback(config, person)));
  checkTokens(tokens);
  return tokens;
}

const basic = await step('discovery', () => discover(confidential.id, oidc.ClientSecretBasic(confidential.secret)));

await step('code, refresh, introspection and revocation of a confidential app, by Basic', async () => {
  const tokens = await codeFlow(basic, owner);
  const next = await oidc.refreshTokenGrant(basic, tokens.refresh_token);
  checkTokens(next);
  assert.equal((await oidc.tokenIntrospection(basic, tokens.access_token)).active, false);
  const answer = await oidc.tokenIntrospection(basic, next.access_token);
  assert.equal(answer.active, true);
  assert.equal(answer.client_id, confidential.id);
  await oidc.tokenRevocation(basic, next.refresh_token);
  assert.equal((await oidc.tokenIntrospection(basic, next.access_token)).active, false);
  await refused('invalid_grant', oidc.refreshTokenGrant(basic, next.refresh_token));
});

await step('code and refresh of a confidential app, by body', async () => {
  const config = await discover(confidential.id, oidc.ClientSecretPost(confidential.secret));
  const tokens = await codeFlow(config, owner);
  checkTokens(await oidc.refreshTokenGrant(config, tokens.refresh_token));
});

await step('code, refresh and revocation of a public app', async () => {
  const config = await discover(open.id, oidc.None());
  const tokens = await codeFlow(config, owner);
  const next = await oidc.refreshTokenGrant(config, tokens.refresh_token);
  checkTokens(next);
  await oidc.tokenRevocation(config, next.refresh_token);
  await refused('invalid_grant', oidc.refreshTokenGrant(config, next.refresh_token));
});

await step('a refresh that asks for less', async () => {
  const tokens = await codeFlow(basic, owner);
  checkTokens(await oidc.refreshTokenGrant(basic, tokens.refresh_token, { scope: 'invoices:read' }), 'invoices:read');
});

await step('a resource in both requests', async () => {
  const resource = `${facts.baseUrl}/v1`;
  const answer = await callback(basic, owner, { resource });
  checkTokens(await oidc.authorizationCodeGrant(basic, ...answer, { resource }));
});

await step('denial, which the client believes only with the right iss and state', async () => {
  const answer = await callback(basic, owner, {}, 'deny');
  await refused('access_denied', oidc.authorizationCodeGrant(basic, ...answer));
});

await step('registration, and the code flow of the registered app', async () => {
  const metadata = { redirect_uris: [redirectUri], client_name: 'Registered by openid-client', scope };
  await codeFlow(await oidc.dynamicClientRegistration(new URL(facts.baseUrl), metadata, undefined, options), developer);
});

await step('token exchange, with a session token that the published keys verify', async () => {
  await codeFlow(basic, owner); // installs the app
  const { status, text } = await owner.send(`${facts.baseUrl}/embedded/session-token`, {
    method: 'POST', headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ clientId: confidential.id, businessId: owner.business }),
  });
  assert.equal(status, 200, text);
  const { sessionToken } = JSON.parse(text);
  const keys = createRemoteJWKSet(new URL(basic.serverMetadata().jwks_uri));
  const { payload } = await jwtVerify(sessionToken, keys, { issuer: facts.baseUrl, audience: confidential.id });
  assert.equal(payload.business_id, owner.business);
  const tokens = await oidc.genericGrantRequest(basic, 'urn:ietf:params:oauth:grant-type:token-exchange', {
    subject_token: sessionToken, subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
  });
  assert.equal(tokens.issued_token_type, 'urn:ietf:params:oauth:token-type:access_token');
  assert.equal((await oidc.tokenIntrospection(basic, tokens.access_token)).active, true);
});

await step('device, decided after the first poll', async () => {
  const config = await discover(open.id, oidc.None());
  const device = await oidc.initiateDeviceAuthorization(config, { scope });
  const firstPoll = new Promise((resolve) => {
    config[oidc.customFetch] = (...request) => fetch(...request).finally(resolve); // to know when it was, not to change it
  });
  const polling = oidc.pollDeviceAuthorizationGrant(config, device);
  await Promise.race([firstPoll, polling]);
  await owner.decideDevice(device.user_code);
  checkTokens(await polling);
});
