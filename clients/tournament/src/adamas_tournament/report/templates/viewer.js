"use strict";
// Opens a game move by move. Everything it shows is in the element #data of this file, compressed.
(async () => {
  const packed = atob(document.getElementById("data").textContent);
  const bytes = Uint8Array.from(packed, (letter) => letter.charCodeAt(0));
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const games = JSON.parse(await new Response(unpacked).text());
  const at = (id) => document.getElementById(id);
  const make = (kind, name, text) => {
    const element = document.createElement(kind);
    if (name) element.className = name;
    if (text !== undefined) element.textContent = text;
    return element;
  };
  const percent = (share) => `${(100 * share).toFixed(1)}%`;
  const number = (value) => String(value).replace("-", "\u2212"); // a minus sign is no hyphen
  let game = null;
  let ply = 0; // how many moves have been played

  const sideOf = (seat) => game.sides.findIndex((side) => side.seats.includes(seat));
  const seats = (side) => (side.seats.length > 1 ? "seats " : "seat ") + side.seats.join(" and ");

  function fillList() {
    const wanted = at("filter").value;
    const list = at("list");
    list.replaceChildren();
    for (const each of games) {
      if (wanted && !each.sides.some((side) => side.name === wanted)) continue;
      const item = make("li", each === game ? "on" : "");
      item.dataset.key = each.key;
      const forfeit = each.forfeits.length ? " · forfeit" : "";
      item.append(
        make("b", "", `game ${each.key}`),
        make("span", "bad", forfeit),
        make("span", "who", each.sides.map((side) => `${side.name} ${number(side.score)}`).join(" · ")),
      );
      item.onclick = () => open(each, 0);
      list.append(item);
    }
  }

  function open(chosen, move) {
    game = chosen;
    at("slider").max = game.moves.length;
    const moves = at("moves");
    moves.replaceChildren();
    game.moves.forEach((each, index) => {
      const item = make("li");
      item.append(
        make("span", "n", `${index + 1}.`),
        make("span", "", each.e[0] ?? each.m),
        make("span", "t", each.x ? "stand-in" : `${each.s.toFixed(2)} s`),
      );
      item.onclick = () => show(index + 1);
      moves.append(item);
    });
    fillList();
    show(move);
  }

  function show(move) {
    ply = Math.min(Math.max(move, 0), game.moves.length);
    at("slider").value = ply;
    at("where").textContent = `move ${ply} of ${game.moves.length}`;
    showSides();
    showGraph();
    showMove();
    showPosition();
    [...at("moves").children].forEach((item, index) => {
      item.classList.toggle("on", index === ply - 1);
      if (index === ply - 1) {
        const box = at("moves");
        box.scrollTop = item.offsetTop - box.offsetTop - box.clientHeight / 2;
      }
    });
    history.replaceState(null, "", `#game=${game.key}&move=${ply}`);
  }

  function showSides() {
    const over = ply === game.moves.length;
    const scores = ply ? game.moves[ply - 1].p : null;
    at("sides").replaceChildren(
      ...game.sides.map((side, index) => {
        const moved = ply > 0 && sideOf(game.moves[ply - 1].seat) === index;
        const box = make("div", moved ? "side moving" : "side");
        box.style.borderTopColor = side.colour;
        const score = scores ? scores[side.seats[0]] : "–";
        box.append(
          make("div", "name", side.name),
          make("div", "score", typeof score === "number" ? number(+score.toFixed(2)) : score),
          make("div", "sub", over ? `${seats(side)} · place ${side.place}` : seats(side)),
        );
        return box;
      }),
    );
  }

  function showMove() {
    const now = at("now");
    now.replaceChildren();
    const ended = game.forfeits.filter((forfeit) => forfeit.ply === ply);
    if (ply === 0) {
      now.append(make("div", "events", "The deal."), make("div", "sub", `seed ${game.seed}`));
    } else {
      const move = game.moves[ply - 1];
      const side = game.sides[sideOf(move.seat)];
      now.style.borderLeftColor = side.colour;
      for (const event of move.e) now.append(make("div", "events", event));
      const facts = [move.x ? `a stand-in for ${side.name}` : side.name, `seat ${move.seat}`];
      if (!move.x) facts.push(`${move.s.toFixed(3)} s`);
      if (move.w !== null) facts.push(`expects to win with ${percent(move.w)}`);
      if (move.i) facts.push(`${move.i.toLocaleString("en")} iterations`);
      if (move.r) now.append(make("div", "reason", move.r));
      const message = make("details");
      message.append(make("summary", "", facts.join(" · ")), make("code", "", move.m));
      now.append(message);
    }
    for (const forfeit of ended) {
      const name = game.sides[forfeit.side].name;
      now.append(make("div", "bad", `${name} forfeits: ${forfeit.what}. ${forfeit.detail}`));
    }
  }

  // The position as a board: rows of the table's, a column a seat, and what the last move changed.
  // The rows are those of the deal, with every change since. "piles@2" is seat 2's, "market#3" is
  // row 3 of a grid.
  function showPosition() {
    const board = at("position");
    board.replaceChildren();
    if (!game.positions) return;
    const rows = new Map();
    for (const changes of game.positions.slice(0, ply + 1)) {
      for (const [name, chips] of Object.entries(changes)) {
        if (chips === null) rows.delete(name);
        else rows.set(name, chips);
      }
    }
    const changed = ply > 0 ? game.positions[ply] : {};
    const shared = make("table", "shared"), held = make("table", "held");
    const natural = new Intl.Collator("en", { numeric: true });
    const names = [...rows.keys()].filter((name) => !name.includes("@")).sort(natural.compare);
    for (const name of names) {
      const row = shared.insertRow();
      row.append(make("th", "left", name.replace("#", " ")), cell(rows.get(name), name, changed));
      if (name.includes("#")) row.lastChild.classList.add("grid");
    }
    const seats = game.sides.flatMap((side) => side.seats).sort((a, b) => a - b);
    const head = held.createTHead().insertRow();
    head.append(make("th"));
    for (const seat of seats) {
      const side = game.sides[sideOf(seat)];
      const title = make("th", "left", `seat ${seat} · ${side.name}`);
      title.style.borderTopColor = side.colour;
      head.append(title);
    }
    const theirs = [...rows.keys()].filter((name) => name.includes("@"));
    for (const name of new Set(theirs.map((each) => each.split("@")[0]))) {
      const row = held.insertRow();
      row.append(make("th", "left", name));
      for (const seat of seats) row.append(cell(rows.get(`${name}@${seat}`) ?? [], `${name}@${seat}`, changed));
    }
    if (theirs.length) board.append(held);
    board.append(shared);
  }

  function cell(chips, name, changed) {
    const found = make("td", name in changed ? "changed" : "");
    for (const chip of chips) {
      const [text, colour] = Array.isArray(chip) ? chip : [chip, 0];
      const shown = make("span", "piece", text);
      if (colour) shown.style.setProperty("--hue", (colour * 137) % 360); // far from its neighbours'
      if (colour) shown.classList.add("coloured");
      found.append(shown);
    }
    return found;
  }

  function showGraph() {
    const wide = 760, high = 170, left = 44, right = 748, top = 10, bottom = 146;
    const namespace = "http://www.w3.org/2000/svg";
    const svg = document.createElementNS(namespace, "svg");
    svg.setAttribute("viewBox", `0 0 ${wide} ${high}`);
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", "Scores by move");
    const draw = (kind, values, text) => {
      const element = document.createElementNS(namespace, kind);
      for (const [name, value] of Object.entries(values)) element.setAttribute(name, value);
      if (text !== undefined) element.textContent = text;
      svg.append(element);
    };
    const all = game.moves.flatMap((move) => move.p);
    const low = Math.min(0, ...all), top_score = Math.max(1, ...all);
    const x = (move) => left + ((right - left) * move) / Math.max(1, game.moves.length);
    const y = (score) => bottom - ((bottom - top) * (score - low)) / (top_score - low);
    for (const score of [low, (low + top_score) / 2, top_score]) {
      draw("line", { x1: left, x2: right, y1: y(score), y2: y(score), class: "grid" });
      draw("text", { x: left - 7, y: y(score) + 4, class: "tick end" }, number(+score.toFixed(1)));
    }
    game.sides.forEach((side) => {
      const points = game.moves.map((move, index) => `${x(index + 1)},${y(move.p[side.seats[0]])}`);
      draw("polyline", { points: points.join(" "), fill: "none", stroke: side.colour, "stroke-width": 2.2 });
    });
    draw("line", { x1: x(ply), x2: x(ply), y1: top, y2: bottom, class: "median" });
    draw("text", { x: left, y: bottom + 18, class: "tick" }, "score after each move");
    svg.style.cursor = "pointer";
    svg.onclick = (event) => {
      const box = svg.getBoundingClientRect();
      const at_x = ((event.clientX - box.left) / box.width) * wide;
      show(Math.round(((at_x - left) / (right - left)) * game.moves.length));
    };
    at("graph").replaceChildren(svg);
  }

  function openFromAddress() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    const found = games.find((each) => each.key === wanted.get("game"));
    if (!found) return false;
    open(found, Number(wanted.get("move")) || 0);
    at("games").scrollIntoView();
    return true;
  }

  at("filter").onchange = fillList;
  at("slider").oninput = (event) => show(Number(event.target.value));
  at("first").onclick = () => show(0);
  at("back").onclick = () => show(ply - 1);
  at("forward").onclick = () => show(ply + 1);
  at("last").onclick = () => show(game.moves.length);
  document.addEventListener("keydown", (event) => {
    if (!game || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    if (event.key === "ArrowLeft") show(ply - 1);
    else if (event.key === "ArrowRight") show(ply + 1);
    else return;
    event.preventDefault();
  });
  window.addEventListener("hashchange", openFromAddress);
  if (!openFromAddress() && games.length) {
    const address = location.href;
    open(games[0], 0);
    history.replaceState(null, "", address);
  }
})();
