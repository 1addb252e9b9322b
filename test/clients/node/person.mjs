// A person at a browser: plain fetch, a cookie jar, and forms sent by hand.
import assert from 'node:assert/strict';
import { facts } from './world.mjs';

class Person {
  #cookies = new Map();

  /** who: { email, password } */
  constructor(who) {
    this.who = who;
  }

  async send(address, init = {}) {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(address, { ...init, redirect: 'manual', headers: { ...init.headers, cookie } });
    // Joined by commas: Debian's Node 18 has no getSetCookie yet.
    for (const [, name, value] of (response.headers.get('set-cookie') ?? '').matchAll(/(?:^|, )([\w-]+)=([^;,]*)/g)) {
      this.#cookies.set(name, value);
    }
    const location = response.headers.get('location');
    return { status: response.status, text: await response.text(), to: location && new URL(location, address) };
  }

  post(path, fields) {
    return this.send(facts.authUrl + path, { method: 'POST', body: new URLSearchParams(fields) });
  }

  /** Opens a page, and signs in if it asks for that. */
  async open(address) {
    const answer = await this.send(address);
    if (answer.to?.pathname !== '/sign-in') return answer;
    const { email, password } = this.who;
    const next = answer.to.searchParams.get('next');
    return this.send(moved(await this.post('/sign-in', { email, password, next })));
  }

  /** Opens an authorization link, decides, and gives the address of the callback. */
  async decide(link, decision = 'allow') {
    const at = moved(await this.open(link));
    assert.equal(at.pathname, '/oauth/consent');
    const business = this.choose(await this.send(at));
    const request = at.searchParams.get('request');
    return moved(await this.post('/oauth/consent', { request, business, decision }));
  }

  /** Types the code of a device and decides. */
  async decideDevice(code, decision = 'allow') {
    await this.open(`${facts.authUrl}/device?user_code=${code}`);
    const business = this.choose(await this.post('/device', { user_code: code }));
    moved(await this.post('/device', { user_code: code, business, decision }));
  }

  /** The first business that a page offers. */
  choose({ status, text }) {
    const [, business] = /value="(biz_\w+)"/.exec(text) ?? [];
    assert.ok(status === 200 && business, `no business to choose: ${status}\n${text}`);
    return (this.business = business);
  }
}

function moved({ status, text, to }) {
  assert.equal(status, 303, text);
  return to;
}

/** Somebody with a business that any reviewed app may be connected to. */
export const owner = new Person(facts.owner);

/** Somebody with a sandbox business: an app that registered itself goes nowhere else. */
export const developer = new Person(facts.developer);
