/* Tells a learning system, by SCORM 1.2 or SCORM 2004, that a lesson was begun and done. */
(function () {
  "use strict";
  var CALLS = {
    "1.2": {
      api: "API", begin: "LMSInitialize", get: "LMSGetValue", set: "LMSSetValue", keep: "LMSCommit", end: "LMSFinish",
      trouble: "LMSGetLastError", status: "cmi.core.lesson_status", time: "cmi.core.session_time", exit: "cmi.core.exit", normal: ""
    },
    "2004": {
      api: "API_1484_11", begin: "Initialize", get: "GetValue", set: "SetValue", keep: "Commit", end: "Terminate",
      trouble: "GetLastError", status: "cmi.completion_status", time: "cmi.session_time", exit: "cmi.exit", normal: "normal"
    }
  };
  var MOST_WINDOWS = 20;
  var body = document.body, calls = CALLS[body.getAttribute("data-scorm")];
  var button = document.getElementById("done"), state = document.getElementById("state"), open = document.getElementById("open");
  var began = new Date().getTime(), api = null, running = false, done = false;

  /* The learning system's object stands in a window around this one, or around the one that opened it. */
  function lookedFor(from) {
    for (var n = 0, here = from; here && n < MOST_WINDOWS; n += 1) {
      try {
        if (here[calls.api]) { return here[calls.api]; }
      } catch (error) { /* a window of another origin: it may stand further up */ }
      if (here.parent === here) { return null; }
      here = here.parent;
    }
    return null;
  }

  function found() {
    var near = lookedFor(window);
    if (near) { return near; }
    try {
      return window.top.opener ? lookedFor(window.top.opener) : null;
    } catch (error) {
      return window.opener ? lookedFor(window.opener) : null;
    }
  }

  function set(name, value) { return String(api[calls.set](name, value)) === "true"; }

  function two(number) { return (number < 10 ? "0" : "") + number; }

  function time() {
    var all = Math.round((new Date().getTime() - began) / 1000);
    var hours = Math.floor(all / 3600), minutes = Math.floor(all / 60) % 60, seconds = all % 60;
    if (calls.api === "API") { return ("000" + hours).slice(-4) + ":" + two(minutes) + ":" + two(seconds); }
    return "PT" + hours + "H" + minutes + "M" + seconds + "S";
  }

  function say(words) { state.textContent = words; }

  function showDone() {
    done = true;
    button.disabled = true;
    say("Done, and recorded.");
  }

  function finish() {
    if (!running || done) { return; }
    if (set(calls.status, "completed") && String(api[calls.keep]("")) === "true") {
      showDone();
    } else {
      say("The learning system did not record this (error " + api[calls.trouble]() + "). Please try again.");
    }
  }

  function leave() {
    if (!running) { return; }
    running = false;
    set(calls.time, time());
    set(calls.exit, done ? calls.normal : "suspend");
    api[calls.keep]("");
    api[calls.end]("");
  }

  function begin() {
    var status;
    api = found();
    running = Boolean(api) && String(api[calls.begin]("")) === "true";
    if (!running) {
      button.disabled = true;
      say("No learning system listens: nothing is recorded.");
      return;
    }
    status = String(api[calls.get](calls.status));
    if (status === "completed" || status === "passed") {
      showDone();
      return;
    }
    set(calls.status, "incomplete");
    api[calls.keep]("");
  }

  button.addEventListener("click", finish);
  if (open && body.getAttribute("data-done") === "opened") { open.addEventListener("click", finish); }
  window.addEventListener("pagehide", leave);
  window.addEventListener("beforeunload", leave);
  begin();
  if (!open && body.getAttribute("data-done") === "opened") { finish(); }
}());
