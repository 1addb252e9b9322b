// Runs before the function, in its engine. It takes the host's own functions out of reach, makes ctx, and calls the handler.
// Whatever the function does to the objects that this uses, it does to itself: only text goes in and out.
(() => {
	"use strict";
	const host = globalThis.$host;
	delete globalThis.$host;
	delete globalThis.performance; // Date is the only clock
	const { parse, stringify } = JSON;
	const { log, call, done, order } = host;
	const { input, config, offset } = parse(order());

	if (offset !== 0) { // the platform's clock was moved
		const Real = Date;
		const now = () => Real.now() + offset;
		const Moved = new Proxy(Real, {
			apply: () => new Real(now()).toString(),
			construct: (target, given, as) => Reflect.construct(target, given.length === 0 ? [now()] : given, as),
			get: (target, name, self) => (name === "now" ? now : Reflect.get(target, name, self)),
		});
		Object.defineProperty(Real.prototype, "constructor", { value: Moved, writable: true, configurable: true });
		Object.defineProperty(globalThis, "Date", { value: Moved, writable: true, configurable: true });
	}

	const show = (value) => {
		if (typeof value === "string") return value;
		if (value instanceof Error) return String(value.stack ? `${value}\n${value.stack}` : value);
		try {
			return stringify(value) ?? String(value);
		} catch {
			return String(value);
		}
	};
	const describe = (error) => {
		try {
			const text = error instanceof Error && error.stack ? `${error}\n${error.stack}` : show(error);
			return String(text);
		} catch {
			return "something was thrown that cannot be shown";
		}
	};

	const waiting = new Map();
	let calls = 0;
	const ctx = Object.freeze({
		config: Object.freeze(config),
		log: (...parts) => log(parts.map(show).join(" ")),
		api: (method, path, body, headers) => new Promise((resolve, reject) => {
			const id = calls++;
			waiting.set(id, { resolve, reject });
			call(id, stringify({ method: String(method), path: String(path), body, headers }));
		}),
	});
	Promise.resolve(import("function"))
		.then((module) => {
			const handler = module.handler ?? module.default;
			if (typeof handler !== "function") throw new TypeError("the module's handler is no function");
			return handler(input, ctx);
		})
		.then((value) => done(true, stringify(value) ?? ""))
		.catch((error) => done(false, describe(error)));

	return (id, text) => { // an answer has come
		const { resolve, reject } = waiting.get(id);
		waiting.delete(id);
		const { given, error } = parse(text);
		if (error) reject(new Error(error));
		else resolve(given);
	};
})()
