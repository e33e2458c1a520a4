// Chooses a board's manifest for esp-web-tools, and says why where it cannot work.
import "./esp-web-tools/install-button.js";

const install = document.querySelector("esp-web-install-button");
const placeholder = document.querySelector("#not-yet");
const choice = document.querySelector("#choice");
const commands = document.querySelector("#commands");
const template = commands.textContent;

function problem() {
  if (!window.isSecureContext) {
    return "This page was opened in a way in which browsers lock serial ports. Open it by https://, " +
      "or on this computer by http://localhost.";
  }
  if (!("serial" in navigator)) {
    return "This browser cannot speak to a board: it has no Web Serial. On a computer, open this page " +
      "with Chrome or Edge. On a phone or tablet, and in Safari, it cannot be done.";
  }
  return "";
}

function choose(input) {
  const name = input.dataset.name;
  install.setAttribute("manifest", input.dataset.manifest);
  install.manifest = input.dataset.manifest;
  choice.textContent = `Chosen: ${name} (${input.value}).`;
  commands.textContent = template.replaceAll("BOARD", input.value);
  const works = !document.querySelector("#problem").textContent;
  install.hidden = !works;
  placeholder.hidden = works;
}

const why = problem();
if (why) {
  const notice = document.querySelector("#problem");
  notice.append(why, " ");
  const link = document.createElement("a");
  link.href = "#by-hand";
  link.textContent = "By the command line it works on any computer.";
  notice.append(link);
  notice.hidden = false;
}
for (const input of document.querySelectorAll("input[name=board]")) {
  input.addEventListener("change", () => choose(input));
  if (input.checked) choose(input);
}
