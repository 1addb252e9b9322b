// The console's one script. Pages are made on the server and can be read without it. What it adds:
//
//   form data-rest="METHOD /path"    is sent as JSON to the REST call; data-version goes along as If-Match
//     data-then="/page?x={member}"   where to go then, with members of the answer in the address
//     data-reveal="id"               or what to show then, once: [data-value=member] in it gets the member, with data-json as JSON;
//                                    with data-stay the form stays
//     input type="file" data-body    is sent itself, instead of JSON, if it has at most data-most bytes
//   data-needs="name" on a field     it is left out as long as the field of that name is empty
//   data-as on a field               how its value is written: optional, number, bool, lines, words, json, before-now
//   input[type=file][data-into=id]   puts the text of a file into another field
//   [data-live="/path"]              is asked for every few seconds while somebody looks, and shown anew when it changes
//   time[data-ago], time[data-left]  are kept true while time passes, exact in the reader's own zone
//   button[data-copy="id"]           copies the text of an element
//   button[data-all]                 ticks every box of its fieldset, or none
"use strict"
{
	const all = (css, at = document) => [...at.querySelectorAll(css)]
	const one = (css, at = document) => at.querySelector(css)

	// Time. The server's clock counts, whatever the reader's own says.
	const begun = Date.parse(one("meta[name=now]").content), since = performance.now()
	const now = () => begun + performance.now() - since
	const minute = 60e3, hour = 60 * minute, day = 24 * hour
	const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "long" })
	const coarse = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" })
	const counted = (n, one, many) => n + " " + (n == 1 ? one : many)

	const ago = at => {
		const passed = now() - at, far = Math.abs(passed)
		if (far < minute) return passed < 0 ? "in a moment" : "just now"
		if (far >= 7 * day) return coarse.format(at)
		const words = far < hour ? Math.floor(far / minute) + " min" : far < day ? Math.floor(far / hour) + " h" : counted(Math.floor(far / day), "day", "days")
		return passed < 0 ? "in " + words : words + " ago"
	}

	const left = at => {
		const ms = at - now()
		if (ms <= 0) return "over"
		if (ms < minute) return Math.ceil(ms / 1000) + " s"
		return (ms < hour ? "" : Math.floor(ms / hour) + " h ") + Math.floor(ms % hour / minute) + " min"
	}

	const tellTime = () => {
		for (const t of all("time[data-ago], time[data-left]")) {
			const at = Date.parse(t.dateTime), words = "left" in t.dataset ? left(at) : ago(at)
			if (t.textContent != words) t.textContent = words
			t.title = exact.format(at)
		}
	}

	// Forms. A field's name is the path of a member.
	const put = (body, path, value) => {
		const names = path.split("."), last = names.pop()
		for (const name of names) body = body[name] ??= {}
		body[last] = value
	}

	const lines = text => text.split("\n").map(line => line.trim()).filter(line => line)

	const valueOf = field => {
		const text = field.value
		switch (field.dataset.as) {
			case "optional": return text.trim() || null
			case "number": return text.trim() == "" ? null : /^-?\d{1,15}$/.test(text.trim()) ? Number(text) : text
			case "bool": return field.type == "checkbox" ? field.checked : text == "true"
			case "lines": return lines(text)
			case "words": return text.trim() == "" ? null : text.trim().split(/[\s,]+/)
			case "json": try { return JSON.parse(text) } catch { return text }
			case "before-now": return new Date(now() - 1000 * text).toISOString()
		}
		return text
	}

	const read = form => {
		const body = {}, lists = {}
		for (const field of form.elements) {
			if (!field.name || field.disabled) continue
			if ("leftOut" in field.dataset && field.value == "") continue
			if (field.dataset.needs && form.elements[field.dataset.needs].value == "") continue
			if (field.dataset.as == "item") { // one of several that make up a list
				lists[field.name] ??= []
				if (field.value && (field.type != "checkbox" || field.checked)) lists[field.name].push(field.value)
				continue
			}
			put(body, field.name, valueOf(field))
		}
		for (const name in lists) put(body, name, lists[name])
		return body
	}

	const filled = (address, answer) => address.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(answer?.[name] ?? ""))

	const forget = form => {
		for (const old of all("[data-wrong]", form)) old.remove()
		for (const field of all("[aria-invalid]", form)) {
			field.removeAttribute("aria-invalid")
			if (field.dataset.hint) field.setAttribute("aria-describedby", field.dataset.hint)
			else field.removeAttribute("aria-describedby")
		}
	}

	let wrongs = 0
	const note = (text, tone) => Object.assign(document.createElement("p"), { className: tone, id: "wrong-" + ++wrongs, textContent: text })

	// complain shows what is wrong with the whole form.
	const complain = (form, text, again) => {
		const p = note(text, "notice bad")
		p.dataset.wrong = ""
		p.setAttribute("role", "alert")
		if (again) p.append(" ", Object.assign(document.createElement("a"), { href: location.href, textContent: "Load this page again" }), ".")
		form.prepend(p)
		p.tabIndex = -1
		p.focus()
	}

	// blame shows what is wrong with a field, beside it.
	const blame = (field, text) => {
		const p = note(text, "error")
		p.dataset.wrong = ""
		const place = field.closest("fieldset, .field") ?? field.parentElement
		place.append(p)
		field.dataset.hint ??= field.getAttribute("aria-describedby") ?? ""
		field.setAttribute("aria-invalid", "true")
		field.setAttribute("aria-describedby", (p.id + " " + (field.getAttribute("aria-describedby") ?? "")).trim())
	}

	// refuse shows a refusal: sentences that begin with the path of a member beside its field, anything else above the form.
	const refuse = (form, status, told) => {
		const messages = [told?.message ?? "That did not work (" + status + "). Try again; if it stays, tell the operator."].flat(), rest = []
		const fields = [...form.elements].filter(field => field.name)
		let first
		for (const message of messages) {
			const [path] = message.split(" ", 1), words = message.slice(path.length + 1)
			let field = Array.isArray(told?.message) && fields.filter(f => path == f.name || path.startsWith(f.name + ".")).sort((a, b) => b.name.length - a.name.length)[0]
			let text = words
			if (field && path != field.name && field.dataset.as == "lines") text = "line " + (1 + Number(path.slice(field.name.length + 1))) + " " + words
			if (!field && told?.code) {
				field = fields.find(f => f.dataset.codes?.split(" ").includes(told.code))
				text = message
			}
			if (!field || field.type == "hidden") { rest.push(message); continue }
			text = text.charAt(0).toUpperCase() + text.slice(1)
			blame(field, /[.!?]$/.test(text) ? text : text + ".")
			first ??= field
		}
		if (rest.length) complain(form, rest.join(" "), status == 412 || status == 404 || told?.details)
		first?.focus()
	}

	const reveal = (form, answer) => {
		const shown = document.getElementById(form.dataset.reveal)
		for (const e of all("[data-value]", shown)) {
			const value = answer[e.dataset.value]
			if (e.matches("time")) e.dateTime = value
			else e.textContent = "json" in e.dataset ? JSON.stringify(value, null, 2) : value
		}
		for (const e of all("[data-if]", shown)) e.hidden = answer[e.dataset.if] == null
		for (const a of all("a[data-href]", shown)) a.href = filled(a.dataset.href, answer)
		form.hidden = !("stay" in form.dataset)
		shown.hidden = false
		tellTime()
		const heading = one("h2", shown)
		heading.tabIndex = -1
		heading.focus()
	}

	const send = async form => {
		const [method, path] = form.dataset.rest.split(" "), headers = {}
		const options = { method, headers }
		const file = one("input[type=file][data-body]", form)
		if (file?.files[0]?.size > file?.dataset.most) {
			blame(file, "This file has more than " + file.dataset.most / 2 ** 20 + " MiB. Make it smaller, and choose it again.")
			return file.focus()
		}
		if (file) {
			headers["Content-Type"] = file.files[0]?.type || "application/octet-stream"
			options.body = file.files[0]
		} else if ([...form.elements].some(field => field.name)) {
			headers["Content-Type"] = "application/json"
			options.body = JSON.stringify(read(form))
		}
		if (form.dataset.version) headers["If-Match"] = '"' + form.dataset.version + '"'
		let status, answer
		try {
			const response = await fetch("/rest" + path, options)
			status = response.status
			answer = status == 204 ? null : await response.json()
		} catch {
			if (!status) return complain(form, "The service could not be reached. Nothing was changed; try again.")
		}
		if (status == 401) return location.assign("/sign-in?next=" + encodeURIComponent(location.pathname + location.search))
		if (status >= 300) return refuse(form, status, answer)
		if (form.dataset.reveal) return reveal(form, answer)
		location.assign(filled(form.dataset.then, answer))
	}

	document.addEventListener("submit", async e => {
		const form = e.target
		if (!form.dataset.rest) return
		e.preventDefault()
		if (form.ariaBusy == "true") return // a second click on what is under way
		form.ariaBusy = "true"
		forget(form)
		try { await send(form) } finally { form.ariaBusy = "false" }
	})

	// Buttons.
	const copy = async button => {
		const from = document.getElementById(button.dataset.copy)
		try {
			await navigator.clipboard.writeText(from.textContent)
			button.textContent = "Copied"
		} catch { // not allowed: leave it marked, one key away
			getSelection().selectAllChildren(from)
			button.textContent = "Selected"
		}
		setTimeout(() => { button.textContent = "Copy" }, 2000)
	}

	document.addEventListener("click", e => {
		const button = e.target.closest?.("button[data-copy], button[data-all]")
		if (!button) return
		if (button.dataset.copy) return copy(button)
		const boxes = all("input[type=checkbox]", button.closest("fieldset")), on = boxes.some(box => !box.checked)
		for (const box of boxes) box.checked = on
	})

	// A choice that shows another page at once; without the script there is a button.
	document.addEventListener("change", e => { if (e.target.matches("select[data-go]")) e.target.form.requestSubmit() })

	// A file whose text goes into another field.
	document.addEventListener("change", async e => {
		const file = e.target.matches("input[type=file][data-into]") && e.target.files[0]
		if (file) document.getElementById(e.target.dataset.into).value = await file.text()
	})

	// What happens elsewhere.
	let seen
	const look = async () => {
		const region = one("[data-live]")
		if (!region || document.hidden || one("[aria-busy=true]", region)) return
		const response = await fetch("/rest" + region.dataset.live)
		if (!response.ok) return
		const text = await response.text()
		if (text == seen) return
		const page = await fetch(location.href)
		if (!page.ok || page.redirected) return
		const fresh = new DOMParser().parseFromString(await page.text(), "text/html").getElementById(region.id)
		seen = text
		if (!fresh || fresh.innerHTML == region.dataset.was) return
		show(region, fresh)
	}

	// show puts fresh content in place, and leaves the focus and what was opened where they were.
	const show = (region, fresh) => {
		const was = fresh.innerHTML
		for (const d of all("details[id][open]", region)) fresh.ownerDocument.getElementById(d.id)?.setAttribute("open", "")
		const key = e => e.id || e.getAttribute("href") || e.textContent
		const focus = region.contains(document.activeElement) && key(document.activeElement)
		region.replaceWith(fresh)
		fresh.dataset.was = was
		tellTime()
		if (focus) all("a, button, summary", fresh).find(e => key(e) == focus)?.focus()
		const said = one("#said"), say = one("[data-say]", fresh)
		if (said && say && said.textContent != say.textContent) said.textContent = say.textContent
	}

	// The list of pages scrolls sideways on a phone: the open one is in view.
	const open = one(".pages [aria-current]"), pages = open?.parentElement
	if (pages && pages.scrollWidth > pages.clientWidth) pages.scrollLeft = open.offsetLeft - pages.offsetLeft - (pages.clientWidth - open.offsetWidth) / 2

	const every = (ms, look) => setTimeout(async () => { try { await look() } catch { /* next time */ } every(ms, look) }, ms)
	every(2500, look)
	document.addEventListener("visibilitychange", () => look().catch(() => {}))
	setInterval(tellTime, 5000)
	tellTime()
}
