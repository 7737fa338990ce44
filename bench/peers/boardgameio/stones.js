// A game as small as can be: players take one to three stones in turn until none is left.
'use strict';

const STONES = 60;
const MOST = 3;

const take = ({ G }, stones) => {
  if (!Number.isInteger(stones) || stones < 1 || stones > Math.min(MOST, G.left)) return 'INVALID_MOVE';
  G.left -= stones;
};

exports.Stones = {
  name: 'stones',
  disableUndo: true,
  setup: () => ({ left: STONES }),
  moves: { take },
  turn: { minMoves: 1, maxMoves: 1 },
  endIf: ({ G, ctx }) => (G.left === 0 ? { winner: ctx.currentPlayer } : undefined),
};
