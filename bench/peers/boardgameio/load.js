// Players that move as soon as they hear it is their turn: node load.js PORT CLIENTS PLAYERS SECONDS REPEATS
// So many players share a match.
// Prints one line of JSON: moves a second in each repeat, and the share of its core this load took.
'use strict';

const { createRequire } = require('node:module');
const path = require('node:path');

const installed = createRequire(path.join(process.cwd(), 'package.json'));
const { io } = installed('socket.io-client');

const [port, clients, players, seconds, repeats] = process.argv.slice(2).map(Number);
const WARM_UP = 1; // seconds
let moves = 0;

function sit(pair, player) {
  const socket = io(`http://127.0.0.1:${port}/stones`, { transports: ['websocket'], forceNew: true });
  let game = 0;
  let match = '';
  const start = () => {
    match = `${pair}-${game}`;
    socket.emit('sync', match, player, undefined, players);
  };
  const answer = (state) => {
    if (state.ctx.gameover !== undefined) {
      game += 1;
      start();
    } else if (state.ctx.currentPlayer === player) {
      const stones = Math.min(1 + (state._stateID % 3), state.G.left);
      const action = { type: 'MAKE_MOVE', payload: { type: 'take', args: [stones], playerID: player } };
      socket.emit('update', action, state._stateID, match, player);
    }
  };
  socket.on('connect', start);
  socket.on('sync', (id, info) => id === match && answer(info.state));
  socket.on('update', (id, state) => {
    if (id !== match) return;
    if (player === '0') moves += 1;
    answer(state);
  });
}

const pause = (time) => new Promise((done) => setTimeout(done, 1000 * time));

async function main() {
  for (let k = 0; k < clients; k += 1) sit(Math.floor(k / players), String(k % players));
  await pause(WARM_UP);
  const rates = [];
  const cpu = process.cpuUsage();
  const began = process.hrtime.bigint();
  for (let k = 0; k < repeats; k += 1) {
    const before = moves;
    const start = process.hrtime.bigint();
    await pause(seconds);
    rates.push((moves - before) / (Number(process.hrtime.bigint() - start) / 1e9));
  }
  const { user, system } = process.cpuUsage(cpu);
  const busy = (user + system) / (Number(process.hrtime.bigint() - began) / 1e3);
  console.log(JSON.stringify({ rates, busy }));
  process.exit(0);
}

main();
