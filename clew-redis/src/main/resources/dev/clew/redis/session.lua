-- What every change of a session begins with. KEYS are those of Keys.session(), in that order.
-- ARGV: 1 now, 2 default time to live or '', 3 '1' if owner and expiry are registered,
-- 4 newest version the caller has seen (negative: go on after it), 5 owner, 6 id,
-- 7 operation or '', 8 digest, 9 lease or '', 10 fence, 11 expected version, '+' for any, or '',
-- 12 expected tail or '', and from 13 on what the script itself takes.
local S, I, K, O, P, H, A, X, Q, U, C, T, L, G, W = unpack(KEYS)
local DAY = 86400000
local call, match = redis.call, string.match
-- Whole numbers of up to 14 digits come out as they are: milliseconds until the year 5138.
local n = tostring

local now, id = tonumber(ARGV[1]), ARGV[6]
local m = call('HMGET', S, 'version', 'created', 'updated', 'ttl', 'items', 'bytes', 'title_key',
  'due', 'low', 'born')
local version, alive, updated, added = tonumber(m[1] or 0), m[2], tonumber(m[3] or 0), m[3]
local life = tonumber(m[4] and m[4] ~= '' and m[4] or ARGV[2])
local items, bytes, title = tonumber(m[5] or 0), tonumber(m[6] or 0), m[7] or ''
local due, low, born = tonumber(m[8] or nil), tonumber(m[9] or 0), m[10]
local own, fresh, headless, ends = m[4], false, false, nil

local function notify()
  if call('EXISTS', W) == 1 then call('PUBLISH', W, n(version)) end
end

-- What a session is found by beside its place in the lists, as G has it.
local function marks(pinned, archived, tags)
  local m = {}
  if pinned == '1' then m[1] = 'p\n' .. id end
  if archived == '1' then m[#m + 1] = 'a\n' .. id end
  for tag in string.gmatch(tags or '', '[^\n]+') do m[#m + 1] = 't' .. tag .. '\n' .. id end
  return m
end

-- Marks it as the names and values of ARGV between two indexes say; returns marks it had and is to
-- lose, which is done when nothing can fail any more.
local function remark(from, to)
  local said = call('HMGET', S, 'pinned', 'archived', 'tags')
  local old = marks(unpack(said, 1, 3))
  for i = from, to, 2 do
    if ARGV[i] == 'pinned' then said[1] = ARGV[i + 1] end
    if ARGV[i] == 'archived' then said[2] = ARGV[i + 1] end
    if ARGV[i] == 'tags' then said[3] = ARGV[i + 1] end
  end
  local has, gone = {}, {}
  for _, mark in ipairs(marks(unpack(said, 1, 3))) do
    call('ZADD', G, 0, mark)
    has[mark] = true
  end
  for _, mark in ipairs(old) do
    if not has[mark] then gone[#gone + 1] = mark end
  end
  return gone
end

local function unmark(gone)
  for _, mark in ipairs(gone) do call('ZREM', G, mark) end
end

-- Removes the session. Its numbers stay until the clock has passed them, so that none is reused.
local function wipe()
  call('UNLINK', I, K, O, P, H, A, X, Q)
  call('ZREM', U, id)
  call('ZREM', C, id)
  call('ZREM', T, title .. '\n' .. id)
  unmark(marks(unpack(call('HMGET', S, 'pinned', 'archived', 'tags'), 1, 3)))
  version = version + 1
  call('DEL', S)
  call('HSET', S, 'version', n(version), 'low', n(low), 'born', born or '0')
  call('ZADD', H, n(version), n(version) .. ' cleared 0')
  local keep = n(math.max(DAY, version - now + DAY))
  call('PEXPIRE', S, keep)
  call('PEXPIRE', H, keep)
  alive, updated, items, bytes, title, due = false, 0, 0, 0, '', nil
  life, own = tonumber(ARGV[2]), nil
  notify()
end

local function expired()
  return alive and life and updated + life <= now
end

-- Whether the server has forgotten what the caller was once told.
local function lost()
  local seen = tonumber(ARGV[4])
  if seen > version then return {'BACKWARDS', n(version)} end
  if -seen > version then version = -seen end
end

local function refused()
  if ARGV[7] ~= '' then
    local done = call('HGET', O, ARGV[7])
    if done then
      local digest, v, first, last = match(done, '^(%S+) (%S+) (%S+) (%S+)$')
      if digest ~= ARGV[8] then return {'OTHER'} end
      return {'REPEATED', v, first, last}
    end
  end
  if ARGV[9] ~= '' then
    local fence = match(call('HGET', L, ARGV[9]) or '0', '^%d+')
    if fence ~= ARGV[10] then return {'FENCE', fence} end
  end
  if ARGV[11] ~= '' then
    local visible = alive and n(version) or '0'
    if ARGV[11] == '+' then
      if not alive then return {'NONE'} end
    elseif visible ~= ARGV[11] then
      return {'VERSION', visible}
    end
  end
  if ARGV[12] ~= '' then
    local tail = match(call('LINDEX', I, 1) or '', '^%S*')
    if tail ~= ARGV[12] then return {'TAIL', tail} end
  end
end

-- When the newest item was added.
local function newestTime()
  local item = alive and call('LINDEX', I, 1)
  return item and tonumber(match(item, '^%S+ %S+ (%d+) ') or nil) or 0
end

-- When items count as added: as a text says, with '-' for now, but neither in the future, nor after
-- one of them that follows, nor before the item in front of them, which was added at last. Nothing
-- for an empty text: all of them now.
local function timesOf(text, last)
  if text == '' then return nil end
  local next, times = math.max(now, updated), {}
  for given in string.gmatch(text, '%S+') do times[#times + 1] = tonumber(given) or next end
  for i = #times, 1, -1 do
    next = math.min(next, times[i])
    times[i] = math.max(last, next)
  end
  return times
end

-- When the session counts as updated by items of these times: one that has outlived its time to live
-- with them would be absent at once, so it counts as updated now.
local function latest(times)
  local last = math.max(updated, times and times[#times] or now)
  return life and last + life <= now and now or last
end

-- Owner and expiry are kept in other slots, and must be there before the session needs them.
local function unregistered(times)
  ends = life and (alive and updated or latest(times)) + life
  if ARGV[3] == '1' then return end
  if (not alive and call('EXISTS', U) == 0) or (ends and (not due or ends < due)) then
    return {'REGISTER', ends and n(ends) or ''}
  end
end

-- The session exists from here on, and changes now or at the last of some times. Lists come first:
-- an entry without a session does no harm, and a list that is not a list fails the script while
-- nothing is written yet.
local function touch(times)
  local last = latest(times)
  if not alive then
    if version == 0 then version = now end
    born = born or n(version)
    fresh, headless, alive, updated = true, true, times and n(times[1]) or ARGV[1], -1
    call('ZADD', C, '-' .. alive, id)
    call('ZADD', T, 0, '\n' .. id)
    call('PERSIST', S)
    call('PERSIST', H)
  end
  if last > updated then
    updated, added = last, n(last)
    call('ZADD', U, '-' .. added, id)
  end
end

-- Whether the list begins with its head, damaged or not; if somebody took it away, with an item.
local function headed()
  local front = call('LINDEX', I, 0)
  return front and not match(front, '^%d+ %d+ ')
end

-- What readers must know of the session stands before its items. The list comes first here too.
local function save(...)
  local head = n(version) .. ' ' .. added .. ' ' .. (own and own ~= '' and own or '-')
  head = 'head ' .. head .. ' ' .. head
  if not headless and headed() then
    call('LSET', I, 0, head)
  else
    call('LPUSH', I, head)
  end
  call('HSET', S, 'version', n(version), 'updated', added, 'items', n(items), 'bytes', n(bytes), ...)
  if fresh then
    call('HSET', S, 'owner', ARGV[5], 'id', id, 'created', alive, 'born', born)
  end
  if ends and ARGV[3] == '1' then call('HSET', S, 'due', n(ends)) end
  notify()
end

-- Forgets operations after two days: one by one when another is written, all when none is.
local function reserve()
  if ARGV[7] == '' then return end
  call('ZADD', P, ARGV[1], ARGV[7])
  for _, old in ipairs(call('ZRANGEBYSCORE', P, '-inf', n(now - 2 * DAY), 'LIMIT', 0, 20)) do
    call('ZREM', P, old)
    call('HDEL', O, old)
  end
  call('PEXPIRE', P, n(2 * DAY))
end

local function done(first, last)
  if ARGV[7] ~= '' then
    call('HSET', O, ARGV[7], table.concat({ARGV[8], n(version), first, last}, ' '))
    call('PEXPIRE', O, n(2 * DAY))
  end
  return {'OK', n(version), first, last, fresh and '0' or '1'}
end

-- Adds the items of ARGV from an index on as the newest or the oldest, the first at a position, added
-- at times of their own if there are some. The
-- list has the newest first, because Redis 6 counts from its head. The position is there twice,
-- because no checksum of ours covers it. The oldest of the newest takes the place of the head, which
-- save() then puts before them.
local function insert(newest, position, from, total, keyed, times)
  local batch, last = {}, #ARGV
  for i = from, last do
    local p = n(position + i - from)
    if keyed == '1' then
      local key = match(ARGV[i], '^%S+ (%S+) ')
      if key ~= '-' then call('ZADD', K, 0, key .. ':' .. p) end
    end
    local time = times and n(times[i - from + 1]) or added
    batch[i - from + 1] = p .. ' ' .. p .. ' ' .. time .. ' ' .. ARGV[i]
  end
  local count = last - from + 1
  if newest then
    local first = headed() and 2 or 1
    if first == 2 then call('LSET', I, 0, batch[1]) end
    for i = first, count, 4000 do call('LPUSH', I, unpack(batch, i, math.min(i + 3999, count))) end
    headless = true
  else
    for i = count, 1, -1 do call('RPUSH', I, batch[i]) end
  end
  items = items + count
  bytes = bytes + total
end

-- Whether the items were made for another position than the first of them gets; '' is for any.
local function misplaced(place, first)
  if place ~= '' and place ~= n(first) then return {'PLACE', n(first)} end
end

local gone = lost()
if gone then return gone end
