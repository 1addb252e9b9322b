// Stripe's SDK, which verifies the same signature scheme: its receivers take our deliveries as they come.
import { facts, step } from './world.mjs';
import assert from 'node:assert/strict';
import Stripe from 'stripe';

const { webhooks } = new Stripe('sk_test_unused'); // a key is required, and never sent anywhere

function refuses(body, header, secret) {
  assert.throws(() => webhooks.constructEvent(body, header, secret), { type: 'StripeSignatureVerificationError' });
}

for (const { name, header, body, secrets } of facts) {
  await step(`${name}: each secret, from text and from bytes`, () => {
    for (const secret of secrets) {
      assert.deepEqual(webhooks.constructEvent(body, header, secret), JSON.parse(body));
      assert.deepEqual(webhooks.constructEvent(Buffer.from(body), header, secret), JSON.parse(body));
    }
  });

  await step(`${name}: altered`, () => {
    for (const secret of secrets) {
      refuses(body + ' ', header, secret);
      refuses(body.replace('"id"', '"ID"'), header, secret);
      refuses(body, header.replace(/^t=\d+/, (t) => t.slice(0, -1) + (9 - t.at(-1))), secret);
      refuses(body, header.replace(/v1=\w/g, 'v1=x'), secret);
      refuses(body, header, secret.replace('whsec_', ''));
    }
    refuses(body, header, 'whsec_another');
  });
}
