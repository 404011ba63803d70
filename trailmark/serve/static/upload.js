// A recorded file is read here and sent as text; what came of it is said below the form.

import { post } from "./app.js";

const form = document.querySelector("[data-upload]");
const told = document.querySelector("[data-told]");

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const file = form.querySelector("#recording").files[0];
  if (!file) return;
  const most = Number(form.dataset.most);
  const body = file.size > most ? null : { name: file.name, text: await file.text(), label: form.querySelector("#label").value || null };
  // What is sent may be larger than the file: each quotation mark in it is sent as two characters.
  if (!body || new Blob([JSON.stringify(body)]).size > most) {
    told.textContent = `The file is larger than the ${most / 1e6} MB that can be sent to the app. Teach it on the command line: trailmark teach ${file.name}`;
    return;
  }
  told.textContent = "Reading it, and getting the pages it names …";
  try {
    const report = await post("/api/recordings", body);
    told.textContent = [report.summary, ...report.problems.slice(0, 3).map((problem) => `${problem.reason}.`)].join(" ");
  } catch (error) {
    told.textContent = error.message;
  }
});
