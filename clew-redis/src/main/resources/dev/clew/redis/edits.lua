-- Notes a change that is not an append; of the oldest only the version up to which they went stays.
local function change(kind, position)
  version = version + 1
  call('ZADD', H, n(version), n(version) .. ' ' .. kind .. ' ' .. position)
  if call('ZCARD', H) > 1100 then
    call('HSET', S, 'floor', match(call('ZRANGE', H, 99, 99)[1], '^%d+'))
    call('ZREMRANGEBYRANK', H, 0, 99)
  end
end

-- Counts an item out; it has been or will be removed.
local function leave(item)
  local p, key, length = match(item, '^(%S+) %S+ %S+ %S+ (%S+) (%d+) ')
  items = items - 1
  if p then
    bytes = bytes - length
    if key ~= '-' then call('ZREM', K, key .. ':' .. p) end
  end
end
