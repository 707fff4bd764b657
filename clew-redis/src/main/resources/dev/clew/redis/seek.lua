-- Finds items of the list I by their positions, which grow along the list.
local function positionOf(item)
  local p, again = string.match(item, '^(%S+) (%S+) ')
  return p and p == again and p
end

-- The index of the first item at or after a position. Items that have lost theirs are passed over.
local function seek(list, position)
  local low, high = 0, redis.call('LLEN', list)
  while low < high do
    local middle = math.floor((low + high) / 2)
    local at = middle
    local found = positionOf(redis.call('LINDEX', list, at))
    while not found and at + 1 < high do
      at = at + 1
      found = positionOf(redis.call('LINDEX', list, at))
    end
    if found and tonumber(found) < position then low = at + 1 else high = middle end
  end
  return low
end

-- The index of the item at a position, and the item.
local function find(list, position)
  local i = seek(list, tonumber(position))
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
