"""Who asks much does not keep others waiting."""

from __future__ import annotations

import asyncio
from threading import Event
from time import thread_time

import pytest

from grammax.service.http.turns import CLIENT, Lane, Shares, Turns


def test_the_client_that_has_used_least_goes_first() -> None:
    shares = Shares()
    shares.use("a", 3.0)
    shares.use("b", 1.0)
    assert shares.first(["a", "b"]) == "b"
    assert shares.first(["a", "new"]) == "new"  # but nobody saves up for later
    shares.use("new", 2.5)
    assert shares.first(["a", "new"]) == "a"


def test_a_request_waits_for_one_of_another_client() -> None:
    order: list[str] = []

    async def main() -> None:
        turns = Turns()

        async def request(client: str) -> None:
            await turns.turn(client)
            order.append(client)
            end = thread_time() + 0.002
            while thread_time() < end:
                pass

        many = [asyncio.create_task(request("many")) for _ in range(20)]
        await asyncio.sleep(0.005)
        await request("one")
        await asyncio.gather(*many)

    asyncio.run(main())
    assert len(order) == 21
    assert order.index("one") <= 6


def test_who_gives_up_keeps_nobody_waiting() -> None:
    async def main() -> None:
        turns = Turns()
        given_up = asyncio.create_task(turns.turn("a"))
        await asyncio.sleep(0)
        given_up.cancel()
        async with asyncio.timeout(5):
            await turns.turn("b")

    asyncio.run(main())
    asyncio.run(main())  # another loop


def test_one_client_does_not_take_all_threads() -> None:
    async def main() -> None:
        lane, going = Lane("test", 2, 1), Event()

        def ran(client: str, work) -> asyncio.Task[object]:
            CLIENT.set(client)
            return asyncio.create_task(lane.run(work))

        many = [ran("many", lambda: going.wait(10)) for _ in range(5)]
        async with asyncio.timeout(5):
            assert await ran("one", lambda: "at once") == "at once"
        assert not any(task.done() for task in many)
        many[-1].cancel()
        going.set()
        assert await asyncio.gather(*many[:-1]) == [True] * 4
        with pytest.raises(ZeroDivisionError):
            await ran("one", lambda: 1 // 0)
        lane.close()

    asyncio.run(main())
