package browser

import "slices"

// contrasts is every piece of text whose colour is too near to what is behind it (WCAG 2.2, 1.4.3: 4.5 to 1). Colours
// are painted to read them, so that every notation counts.
const contrasts = `(() => {
	const paper = Object.assign(document.createElement("canvas"), {width: 1, height: 1}).getContext("2d", {willReadFrequently: true})
	const paint = colours => {
		paper.fillStyle = "#fff"; paper.fillRect(0, 0, 1, 1)
		for (const c of colours) { paper.fillStyle = c; paper.fillRect(0, 0, 1, 1) }
		return [...paper.getImageData(0, 0, 1, 1).data].slice(0, 3)
	}
	const light = rgb => rgb.map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
		.reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0)
	const behind = e => { const all = []; for (; e; e = e.parentElement) all.unshift(getComputedStyle(e).backgroundColor); return all }
	const ratio = (colour, e) => {
		const layers = behind(e), [a, b] = [light(paint(layers)), light(paint([...layers, colour]))].sort((x, y) => y - x)
		return (a + 0.05) / (b + 0.05)
	}
	const texts = [...document.querySelectorAll("body *")].filter(e => e.checkVisibility() &&
		(e.matches("input") || [...e.childNodes].some(n => n.nodeType == Node.TEXT_NODE && n.data.trim())))
	return {
		texts: texts.length,
		faint: texts.map(e => [ratio(getComputedStyle(e).color, e), e.outerHTML.slice(0, 100)]).filter(([r]) => r < 4.5).map(([r, html]) => r.toFixed(2) + " " + html),
		borders: [...document.querySelectorAll("input")].filter(e => e.checkVisibility())
			.map(e => [ratio(getComputedStyle(e).borderTopColor, e.parentElement), e.name]).filter(([r]) => r < 3).map(([r, name]) => r.toFixed(2) + " " + name),
		tokens: ["backgroundColor", "color"].map(p => getComputedStyle(document.body)[p]).concat(getComputedStyle(document.querySelector(".sheet")).backgroundColor,
			getComputedStyle(document.querySelector(".brand"), "::before").borderTopColor),
		dark: light(paint(behind(document.body))) < 0.05 && light(paint([getComputedStyle(document.body).color])) > 0.7,
	}
})()`

func isReadable(w *window, _ sight) {
	var light []string
	for _, scheme := range []string{"light", "dark"} {
		w.scheme(scheme)
		got := eval[struct {
			Texts                  int
			Faint, Borders, Tokens []string
			Dark                   bool
		}](w, contrasts)
		if got.Texts < 4 {
			w.t.Errorf("%s: only %d texts were looked at", scheme, got.Texts)
		}
		for _, text := range got.Faint {
			w.t.Errorf("%s: hard to read: %s", scheme, text)
		}
		for _, field := range got.Borders {
			w.t.Errorf("%s: the edge of a field is hard to see: %s", scheme, field)
		}
		if got.Dark != (scheme == "dark") {
			w.t.Errorf("%s: the page is dark: %v", scheme, got.Dark)
		}
		for _, colour := range got.Tokens {
			if slices.Contains(light, colour) {
				w.t.Errorf("%s is the same in light and dark", colour)
			}
		}
		light = got.Tokens
	}
}
