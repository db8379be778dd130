// A server as many Express applications are: ids of 24 digits in `_id`, a bare list, a key in a header of its own,
// a message as the answer to a DELETE. Its journal is on the disk before each answer. real-servers runs it:
// `node real_express.js PORT`.
"use strict";

const crypto = require("crypto");
const express = require("express");
const fs = require("fs");

const rows = new Map();
const path = process.env.REAL_DATABASE;

function apply(change) {
  if (change.op === "delete") rows.delete(change.row._id);
  else rows.set(change.row._id, change.row);
}

// What follows the last newline was cut short by a death, and never answered.
let journal = fs.existsSync(path) ? fs.readFileSync(path, "utf8") : "";
journal = journal.slice(0, journal.lastIndexOf("\n") + 1);
fs.writeFileSync(path, journal);
for (const line of journal.split("\n")) if (line) apply(JSON.parse(line));
const file = fs.openSync(path, "a");

function keep(op, row) {
  fs.writeSync(file, JSON.stringify({ op, row }) + "\n");
  fs.fsyncSync(file);
  apply({ op, row });
}

function given(body) {
  const names = ["title", "done", "size", "labels"].filter((name) => name in body);
  return Object.fromEntries(names.map((name) => [name, body[name]]));
}

const app = express();
// A proxy that packs an answer makes a strong tag a weak one.
app.set("etag", process.env.REAL_TAGS || "weak");
app.use(express.json());
app.use((request, response, next) => {
  if (request.get("X-API-Key") === process.env.REAL_PASSWORD) return next();
  return response.status(401).json({ error: "Unauthorized" });
});
app.param("id", (request, response, next, id) => {
  request.row = rows.get(id);
  if (request.row) return next();
  return response.status(404).json({ error: "Not found" });
});

app.get("/api/notes", (request, response) => response.json([...rows.values()]));
app.get("/api/notes/:id", (request, response) => response.json(request.row));
app.post("/api/notes", (request, response) => {
  if (!request.body.title) return response.status(400).json({ error: "title is required" });
  const row = { _id: crypto.randomBytes(12).toString("hex"), ...given(request.body), __v: 0 };
  keep("insert", row);
  return response.status(201).json(row);
});
app.patch("/api/notes/:id", (request, response) => {
  const row = { ...request.row, ...given(request.body) };
  keep("update", row);
  return response.json(row);
});
app.delete("/api/notes/:id", (request, response) => {
  keep("delete", request.row);
  return response.json({ message: "Note deleted" });
});

app.listen(Number(process.argv[2]), "127.0.0.1");
