// What stands between a page of ours and the pages of apps in its frames. They speak by messages, plain objects that say which
// version they are in: {version: 1, type, id?, …}. docs/guides/embedded-apps.md describes them for those who write apps.
//
//   ready            is answered with the context: record, locale, theme
//   getSessionToken  is answered with a fresh session token
//   resize           {height} in pixels
//   toast            {text}, shown with the name of the app
//   navigate         {resourceType, resourceId}, as the answer to a click
//   close            of a dialog
//
// Whoever sends a message is judged by two things that nobody can forge: the window it comes from is that of a frame of this page, and its
// origin is that of the app's own pages. Answers go to that window and that origin only. A frame that went elsewhere, a frame inside
// the frame, another window: nobody hears them, and they hear nothing. Anything else is ignored.
"use strict"
{
	const version = 1
	const all = css => [...document.querySelectorAll(css)]
	const frames = () => all("iframe[data-extension]")

	// Bounds: heights in pixels, texts in characters, and how often a frame may ask for something within so many milliseconds.
	const least = 40, most = 4000, longest = 200
	const bounds = { getSessionToken: [30, 60e3], toast: [3, 10e3], resize: [50, 1e3], navigate: [3, 10e3], ready: [10, 10e3], close: [10, 10e3] }
	const asked = new WeakMap()
	const mayAsk = (frame, type) => {
		const [times, within] = bounds[type], now = performance.now()
		const counts = asked.get(frame) ?? asked.set(frame, {}).get(frame)
		const recent = (counts[type] ?? []).filter(at => now - at < within)
		counts[type] = recent
		return recent.length < times && recent.push(now) > 0
	}

	const answer = (frame, message) => frame.contentWindow?.postMessage({ version, ...message }, frame.dataset.origin)

	const record = frame => frame.dataset.resourceType ? { type: frame.dataset.resourceType, id: frame.dataset.resourceId } : null

	const context = (frame, { id }) => answer(frame, {
		type: "context", id, extensionId: frame.dataset.extension, resource: record(frame), locale: frame.dataset.locale,
		theme: matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light",
	})

	// A token is fetched for each question and passed on. It is kept nowhere.
	const sessionToken = async (frame, { id }) => {
		const refuse = (code, text) => answer(frame, { type: "error", id, code, message: text })
		const { client: clientId, business: businessId, extension: extensionId, resourceType, resourceId } = frame.dataset
		try {
			const response = await fetch("/rest/embedded/session-token", {
				method: "POST", headers: { "Content-Type": "application/json" },
				body: JSON.stringify(resourceType ? { clientId, businessId, extensionId, resourceType, resourceId } : { clientId, businessId, extensionId }),
			})
			const told = await response.json()
			if (!response.ok) return refuse(told.code ?? "REFUSED", [told.message].flat().join(" "))
			answer(frame, { type: "sessionToken", id, sessionToken: told.sessionToken, expiresIn: told.expiresIn })
		} catch { refuse("UNREACHABLE", "The service could not be reached. Try again.") }
	}

	const resize = (frame, { height }) => {
		if (Number.isFinite(height)) frame.height = Math.round(Math.min(Math.max(height, least), most))
	}

	// Characters that are not shown, or that turn the text around them, are left out.
	const legible = text => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ").trim().slice(0, longest)

	const toast = (frame, { text }) => {
		const words = typeof text == "string" && legible(text), place = document.getElementById("toasts")
		if (!words) return
		const note = Object.assign(document.createElement("p"), { className: "notice" })
		note.append(Object.assign(document.createElement("b"), { textContent: frame.dataset.app }), " ", words)
		place.append(note)
		if (place.childElementCount > 3) place.firstElementChild.remove()
		setTimeout(() => note.remove(), 6000)
	}

	const places = { INVOICE: "invoices", CUSTOMER: "customers", SUPPLIER: "suppliers", PAYMENT: "payments", ACCOUNT: "accounts", JOURNAL_ENTRY: "journal" }

	// A frame moves the page only to a record, and only if somebody has just clicked or typed in it.
	const navigate = (_, { resourceType, resourceId }) => {
		const place = typeof resourceType == "string" && Object.hasOwn(places, resourceType) && places[resourceType]
		if (!place || typeof resourceId != "string" || !/^[a-z]{3}_[0-9a-z]{26}$/.test(resourceId)) return
		if (navigator.userActivation?.isActive ?? true) location.assign("/" + place + "/" + resourceId)
	}

	const close = frame => frame.closest("dialog")?.close()

	const verbs = { ready: context, getSessionToken: sessionToken, resize, toast, navigate, close }

	addEventListener("message", e => {
		const frame = frames().find(f => f.contentWindow && f.contentWindow == e.source)
		if (!frame || e.origin != frame.dataset.origin) return
		const said = e.data
		if (typeof said != "object" || said === null || said.version !== version || typeof said.type != "string" || !Object.hasOwn(verbs, said.type)) return
		if (said.id !== undefined && (typeof said.id != "string" || said.id.length > 100)) return
		if (mayAsk(frame, said.type)) verbs[said.type](frame, said)
		else if (said.type == "getSessionToken") answer(frame, { type: "error", id: said.id, code: "TOO_MANY", message: "Too many questions at once. Ask again in a minute." })
	})

	// Dialogs. The frame is there only while its dialog is open, so each opening begins anew.
	document.addEventListener("click", e => {
		const button = e.target.closest?.("button[data-opens]")
		if (!button) return
		const dialog = document.getElementById(button.dataset.opens), menu = button.closest("details")
		dialog.append(dialog.querySelector("template").content.cloneNode(true))
		dialog.addEventListener("close", () => {
			dialog.querySelector("iframe").remove()
			menu.querySelector("summary").focus()
		}, { once: true })
		menu.open = false
		dialog.showModal()
	})
}
