-- Finds items of a list by their positions, which get smaller along the list, after its head.
local function positionOf(item)
  local p, again = string.match(item, '^(%S+) (%S+) ')
  return p and p == again and p
end

-- The index of the first item that does not stand after a position. Those that have lost theirs are
-- passed over.
local function after(list, position)
  local low, high = 1, redis.call('LLEN', list)
  while low < high do
    local middle = math.floor((low + high) / 2)
    local at = middle
    local found = positionOf(redis.call('LINDEX', list, at))
    while not found and at + 1 < high do
      at = at + 1
      found = positionOf(redis.call('LINDEX', list, at))
    end
    if found and tonumber(found) > position then low = at + 1 else high = middle end
  end
  return low
end

-- The index of the item at a position, and the item.
local function find(list, position)
  local i = after(list, tonumber(position))
  while true do
    local item = redis.call('LINDEX', list, i)
    local p = item and positionOf(item)
    if p or not item then
      if p == position then return i, item end
      return nil
    end
    i = i + 1
  end
end

-- Items from one index to another, both included; none if there is nothing between.
local function range(list, first, last)
  if last < first or last < 0 then return {} end
  return redis.call('LRANGE', list, math.max(first, 0), last)
end

-- The same without the head of the list.
local function live(list, first, last)
  return range(list, math.max(first, 1), last)
end
