// The boardgame.io server with its in-memory storage, as its documentation starts it: node server.js PORT
'use strict';

const { createRequire } = require('node:module');
const path = require('node:path');
const { Stones } = require('./stones.js');

const installed = createRequire(path.join(process.cwd(), 'package.json'));
const { Server } = installed('boardgame.io/server');

const port = Number(process.argv[2]);
Server({ games: [Stones], origins: [`http://127.0.0.1:${port}`] }).run(port);
