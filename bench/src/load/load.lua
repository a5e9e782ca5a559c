-- Asks for what is stored, or makes new courses, at random; counts answers that are not what was asked for, and tells
-- the figures of a run as one line of JSON.
--
-- Arguments behind `--`: a file of paths, each with the id that its answer begins with behind a tab; a file of keys; a
-- file with the body of a new course; its name there; how many of a hundred requests make one; the number of the run.
--
-- wrk does not say to which request an answer belongs. So what was asked for and not yet answered is counted by what
-- tells the answer (the id, or the name of what is new): an answer that nobody waits for is wrong.

local READ, MADE = 200, 201

created, wrong, example = 0, 0, ""

local get, post, paths, ids, keys
local new_name, new_of_hundred, number
local made, awaited = 0, {}

-- A request as the pieces that stay, and where between them goes what changes.
local function template(...)
    local pieces, places = {}, {}
    for stays, changes in wrk.format(...):gmatch("([^\1-\4]*)([\1-\4]?)") do
        pieces[#pieces + 1] = stays
        if changes ~= "" then
            pieces[#pieces + 1] = ""
            places[changes] = #pieces
        end
    end
    return { pieces = pieces, key = places["\1"], path = places["\2"], once = places["\3"], name = places["\4"] }
end

local function with(more)
    local headers = {}
    for name, value in pairs(wrk.headers) do headers[name] = value end
    for name, value in pairs(more) do headers[name] = value end
    return headers
end

local function lines(file)
    local list = {}
    for line in io.lines(file) do list[#list + 1] = line end
    return list
end

local function numbered(count)
    return string.format("%09d of run %06d", count, number)
end

local function prepare_posts(file, placeholder)
    local body = io.open(file):read("*a")
    local from, to = body:find(placeholder, 1, true)
    local before, after = body:sub(1, from - 1), body:sub(to + 1)
    -- The length is written by wrk: of a body that is as long as each will be.
    local filled = before .. "Course " .. numbered(0) .. after
    local headers = with { ["content-type"] = "application/json", ["x-api-key"] = "\1", ["idempotency-key"] = "\3" }
    post = template("POST", "/v1/courses", headers, before .. "Course \4" .. after)
    for at, piece in ipairs(post.pieces) do
        post.pieces[at] = piece:gsub("(Content%-Length: )%d+", "%1" .. #filled)
    end
end

function init(arguments)
    keys, ids = lines(arguments[2]), {}
    new_of_hundred, number = tonumber(arguments[5]), tonumber(arguments[6])
    math.randomseed(number)
    paths = lines(arguments[1])
    for at, line in ipairs(paths) do
        paths[at], ids[at] = line:match("^(.*)\t(.*)$")
    end
    get = template("GET", "\2", with { ["x-api-key"] = "\1" })
    prepare_posts(arguments[3], arguments[4])
end

local function await(what)
    awaited[what] = (awaited[what] or 0) + 1
end

local function new_course()
    made = made + 1
    local name = numbered(made)
    await("Course " .. name)
    post.pieces[post.key] = keys[math.random(#keys)]
    post.pieces[post.once] = string.format("%08x%08x-bench", math.random(0, 4294967295), math.random(0, 4294967295))
    post.pieces[post.name] = name
    return table.concat(post.pieces)
end

function request()
    if math.random(100) <= new_of_hundred then
        return new_course()
    end
    local at = math.random(#paths)
    await(ids[at])
    get.pieces[get.key] = keys[math.random(#keys)]
    get.pieces[get.path] = paths[at]
    return table.concat(get.pieces)
end

function response(status, _, body)
    local what
    if status == READ then
        what = body:match('"id":"([^"]*)"') or ""
    elseif status == MADE then
        what = body:match('"name":"([^"]*)"')
        created = created + 1
    end
    local count = what and awaited[what]
    if not count then
        wrong = wrong + 1
        example = status .. " " .. body:sub(1, 200)
    elseif count > 1 then
        awaited[what] = count - 1
    else
        awaited[what] = nil
    end
end

local threads = {}

function setup(thread)
    threads[#threads + 1] = thread
end

function done(summary, latency)
    local errors, created_ones, wrong_ones = summary.errors, 0, 0
    for _, thread in ipairs(threads) do
        created_ones = created_ones + thread:get("created")
        wrong_ones = wrong_ones + thread:get("wrong")
        io.write("\nwrong, such as: ", thread:get("example"))
    end
    io.write(string.format(
        '\n{"requests":%d,"micros":%d,"p50":%.4f,"p90":%.4f,"p99":%.4f,"bytes":%d,'
        .. '"refused":%d,"broken":%d,"created":%d,"wrong":%d}\n',
        summary.requests, summary.duration,
        latency:percentile(50) / 1000, latency:percentile(90) / 1000, latency:percentile(99) / 1000,
        summary.bytes, errors.status, errors.connect + errors.read + errors.write + errors.timeout,
        created_ones, wrong_ones))
end
