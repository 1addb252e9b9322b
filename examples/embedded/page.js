// The page in the frame. It speaks with the page around it by messages; docs/guides/embedded-apps.md says which there are.
"use strict"
{
	const said = document.getElementById("said"), facts = document.getElementById("facts")
	const customer = document.getElementById("customer")

	// The host is whoever put us into a frame. Which one that may be, our server decides (frame-ancestors); so any may hear what we say
	// here, none of which is secret.
	const say = message => parent.postMessage({ version: 1, ...message }, "*")

	// ask sends a message and waits for its answer, which repeats its id.
	const waiting = new Map()
	const ask = type => new Promise((done, failed) => {
		const id = crypto.randomUUID?.() ?? String(Math.random())
		waiting.set(id, { done, failed })
		say({ type, id })
	})

	addEventListener("message", e => {
		if (e.source != parent || e.data?.version !== 1) return
		const { done, failed } = waiting.get(e.data.id) ?? {}
		waiting.delete(e.data.id)
		if (e.data.type == "error") failed?.(new Error(e.data.message))
		else done?.(e.data)
	})

	const show = record => {
		facts.replaceChildren()
		for (const name of ["id", "number", "displayName", "name", "status", "total", "currency"]) {
			if (typeof record[name] != "string" && typeof record[name] != "number") continue
			facts.append(Object.assign(document.createElement("dt"), { textContent: name }), Object.assign(document.createElement("dd"), { textContent: record[name] }))
		}
		customer.hidden = !record.customerId
		customer.onclick = () => say({ type: "navigate", resourceType: "CUSTOMER", resourceId: record.customerId })
	}

	// A session token lives for a minute and is exchanged once: ask for one whenever you need one, and keep none.
	const read = async () => {
		said.textContent = "Reading…"
		try {
			const { sessionToken } = await ask("getSessionToken")
			const response = await fetch("record", { headers: { Authorization: "Bearer " + sessionToken } })
			const told = await response.json()
			if (!response.ok) throw new Error(told.error)
			show(told.record)
			said.textContent = "Read in the name of " + told.user
		} catch (e) { said.textContent = "That did not work: " + e.message }
		say({ type: "resize", height: document.body.offsetHeight + 24 }) // and its margins
	}

	document.getElementById("again").addEventListener("click", async () => { await read(); say({ type: "toast", text: "The record was read again." }) })
	document.getElementById("done").addEventListener("click", () => say({ type: "close" }))
	ask("ready").then(context => {
		document.documentElement.lang = context.locale
		document.documentElement.classList.toggle("dark", context.theme == "dark")
		return read()
	})
}
