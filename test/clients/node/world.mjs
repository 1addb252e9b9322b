// What every program needs: the facts, a person at a browser, and a way to say what went wrong.
import assert from 'node:assert/strict';
import { webcrypto } from 'node:crypto';

globalThis.crypto ??= webcrypto; // Node 18 keeps it in a module; the clients look for it where browsers have it

/** { baseUrl, authUrl, insecure, redirectUri, confidential, public, owner, developer }, as node_test.go writes them. */
export const facts = JSON.parse(process.env.DAYBOOK_FACTS);

/** Runs a part of a program. The first that fails ends the program with its name and the reason. */
export async function step(name, part) {
  try {
    const result = await part();
    console.log('ok', name);
    return result;
  } catch (error) {
    console.error(`FAILED: ${name}\n${error?.stack ?? error}`);
    if (error?.cause) console.error('because of', error.cause);
    process.exit(1);
  }
}

/** Expects a refusal by its OAuth error code, as the clients report it. */
export async function refused(code, promise) {
  const error = await promise.then(() => assert.fail(`wanted ${code}, was granted`), (e) => e);
  if (error.error !== code) throw error;
  return error;
}

/** A token response, whatever the client made of it. */
export function checkTokens(tokens, scope = facts.scope) {
  assert.match(tokens.access_token, /^\w+$/);
  assert.match(tokens.refresh_token, /^\w+$/);
  assert.equal(tokens.token_type.toLowerCase(), 'bearer');
  assert.equal(tokens.expires_in, 3600);
  assert.deepEqual(tokens.scope.split(' ').sort(), scope.split(' ').sort());
}
