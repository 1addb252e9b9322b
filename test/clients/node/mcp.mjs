// The auth client of the Model Context Protocol's SDK: given nothing but an address, it finds the server, registers
// itself, sends the person to the browser, redeems and refreshes.
import { checkTokens, facts, step } from './world.mjs';
import { developer } from './person.mjs';
import assert from 'node:assert/strict';
import { auth } from '@modelcontextprotocol/sdk/client/auth.js';

const { redirectUri, scope } = facts;
const serverUrl = `${facts.baseUrl}/mcp`;

/** What an application gives to the SDK: a place to keep things, and a way to open the browser. */
class Provider {
  redirectUrl = redirectUri;
  forgotten = [];

  constructor(method, resource) {
    this.clientMetadata = {
      redirect_uris: [redirectUri], client_name: 'Registered by an MCP client', scope, token_endpoint_auth_method: method,
      grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'],
    };
    // The SDK sends the resource by which the API describes itself (RFC 9728), or the one the application names here.
    if (resource) this.validateResourceURL = async () => new URL(resource);
  }

  state = () => (this.sentState = crypto.randomUUID());
  clientInformation = () => this.client;
  saveClientInformation = (client) => void (this.client = client);
  tokens = () => this.kept;
  saveTokens = (tokens) => void (this.kept = tokens);
  codeVerifier = () => this.verifier;
  saveCodeVerifier = (verifier) => void (this.verifier = verifier);
  redirectToAuthorization = (link) => void (this.link = link);

  invalidateCredentials(what) {
    this.forgotten.push(what);
    if (what === 'all') delete this.client;
    if (what === 'all' || what === 'tokens') delete this.kept;
  }
}

/** From nothing to tokens. */
async function connect(provider) {
  assert.equal(await auth(provider, { serverUrl }), 'REDIRECT');
  assert.equal(provider.client.token_endpoint_auth_method, provider.clientMetadata.token_endpoint_auth_method);
  const callback = await developer.decide(provider.link);
  assert.equal(callback.searchParams.get('state'), provider.sentState);
  assert.equal(callback.searchParams.get('iss'), facts.baseUrl);
  const authorizationCode = callback.searchParams.get('code');
  assert.equal(await auth(provider, { serverUrl, authorizationCode }), 'AUTHORIZED');
  checkTokens(provider.kept);
}

async function refreshes(provider) {
  const before = provider.kept;
  assert.equal(await auth(provider, { serverUrl }), 'AUTHORIZED');
  checkTokens(provider.kept);
  assert.notEqual(provider.kept.refresh_token, before.refresh_token);
}

for (const method of ['none', 'client_secret_basic', 'client_secret_post']) {
  await step(`discovery, registration, code and refresh by ${method}`, async () => {
    const provider = new Provider(method);
    await connect(provider);
    assert.equal(provider.link.searchParams.get('resource'), facts.baseUrl);
    await refreshes(provider);
    await refreshes(provider);
    assert.deepEqual(provider.forgotten, []);
  });
}

await step('a resource of the application\'s own in every request', async () => {
  const provider = new Provider('none', serverUrl);
  await connect(provider);
  assert.equal(provider.link.searchParams.get('resource'), serverUrl);
  await refreshes(provider);
});

await step('a spent refresh token: the SDK forgets its tokens and asks the person again', async () => {
  const provider = new Provider('none');
  await connect(provider);
  const spent = provider.kept;
  await refreshes(provider);
  provider.kept = spent;
  assert.equal(await auth(provider, { serverUrl }), 'REDIRECT');
  assert.deepEqual(provider.forgotten, ['tokens']);
});

await step('an unknown client: the SDK forgets everything and registers again', async () => {
  const provider = new Provider('client_secret_basic');
  await connect(provider);
  const { client_id } = provider.client;
  provider.client = { ...provider.client, client_id: 'cli_nobody' };
  assert.equal(await auth(provider, { serverUrl }), 'REDIRECT');
  assert.deepEqual(provider.forgotten, ['all']);
  assert.ok(provider.client.client_id !== client_id && provider.client.client_id !== 'cli_nobody');
});
