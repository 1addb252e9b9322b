-- The arithmetic of span.go where the spans are, so that a call is one step for all nodes.
--
-- KEYS  the spans' keys. On a cluster they would have to share a slot; a single server needs no hash tag.
-- ARGV  now, the spare life of keys, then for every key: verb (count or look), max, per, lock (times in ms).
-- Gives for every key: began, count. A key holds "began count".
local now, spare = tonumber(ARGV[1]), tonumber(ARGV[2])
local spans = {}
for i, key in ipairs(KEYS) do
  local verb = ARGV[4 * i - 1]
  local max, per, lock = tonumber(ARGV[4 * i]), tonumber(ARGV[4 * i + 1]), tonumber(ARGV[4 * i + 2])
  local kept = redis.call('GET', key)
  local began, count = string.match(kept or '', '^(%d+) (%d+)$')
  began, count = tonumber(began) or now, tonumber(count) or 0
  local changed = false

  -- settle
  local length = count > max and lock or per
  if now - began >= length or began - now > length then
    began, count, changed = now, 0, true
  elseif began > now then
    began, changed = now, true
  end

  -- count
  if verb == 'count' and count <= max then
    if count == 0 then began = now end
    count = count + 1
    if count > max then began = now end
    changed = true
  end

  if changed and count > 0 then
    length = count > max and lock or per
    redis.call('SET', key, string.format('%.0f %.0f', began, count), 'PX', length + spare)
  elseif changed and kept then
    redis.call('DEL', key)
  end
  spans[2 * i - 1], spans[2 * i] = began, count
end
return spans
