import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textColorOn } from './contrast.ts';

test('text on the color of a brand is white where that is readable, and otherwise black', () => {
  for (const color of ['#0B5F59', '#000000', '#767676', '#3366cc', '#C00000']) assert.equal(textColorOn(color), 'white', color);
  for (const color of ['#FFFFFF', '#FFCC00', '#777777', '#FF0000']) assert.equal(textColorOn(color), 'black', color);
});
