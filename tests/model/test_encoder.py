"""The encoder: queries side by side are read as each alone, and in both directions."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="the encoder needs PyTorch")

from dataclasses import replace  # noqa: E402

from model.networks import SMALL, an_untrained  # noqa: E402
from model.tiny import TINY  # noqa: E402

from grammax.model.encoder import Encoded  # noqa: E402
from grammax.model.network import Network  # noqa: E402

TEXTS = [
    "steel",
    "french banks not in western europe with a market cap that nobody knows",
    "german cars",
    "top 10 software in japan",
    "steel",
]
NETWORKS = {
    "composed": an_untrained(),
    "learnt": an_untrained(model=replace(SMALL, rows="learnt")),
}
every_network = pytest.mark.parametrize("network", NETWORKS.values(), ids=NETWORKS.keys())


@torch.inference_mode()
def encoded(network: Network, *texts: str) -> Encoded:
    return network.encode(network.batch([network.reader.read(text) for text in texts]))


@every_network
def test_padding_changes_nothing(network: Network) -> None:
    together = encoded(network, *TEXTS)
    for place, text in enumerate(TEXTS):
        alone = encoded(network, text)
        length = alone.words.shape[1]
        assert torch.allclose(together.words[place, :length], alone.words[0], atol=1e-6)
        assert torch.allclose(together.summary[place], alone.summary[0], atol=1e-6)
        assert torch.equal(together.spelling[place, :length], alone.spelling[0])
        mask = together.mask[place].tolist()
        assert mask == [True] * length + [False] * (len(mask) - length)


@every_network
def test_each_word_knows_what_comes_before_and_after_it(network: Network) -> None:
    words = encoded(network, "german steel in japan").words[0]
    other_end = encoded(network, "german steel in france").words[0]
    other_start = encoded(network, "french steel in japan").words[0]
    assert not torch.allclose(words[0], other_end[0], atol=1e-6)
    assert not torch.allclose(words[3], other_start[3], atol=1e-6)


@every_network
def test_the_summary_depends_on_the_order_of_words(network: Network) -> None:
    one, other = encoded(network, "german steel", "steel german").summary
    assert not torch.allclose(one, other, atol=1e-6)


@every_network
def test_each_direction_sees_one_side_only(network: Network) -> None:
    size = SMALL.encoder
    words = encoded(network, "german steel in japan").words[0]
    other_end = encoded(network, "german steel in france").words[0]
    other_start = encoded(network, "french steel in japan").words[0]
    assert torch.allclose(words[:3, :size], other_end[:3, :size], atol=1e-6)
    assert torch.allclose(words[1:, size:], other_start[1:, size:], atol=1e-6)


def test_members_of_a_batch_can_be_taken_out_and_doubled() -> None:
    network = NETWORKS["composed"]
    together = encoded(network, *TEXTS)
    taken = together.select(torch.tensor([3, 0, 3]))
    for part, whole in zip(taken, together, strict=True):
        assert torch.equal(part, whole[[3, 0, 3]])


def test_names_are_read_whether_their_words_were_seen_or_not() -> None:
    network = NETWORKS["composed"]
    assert network.reader.words.id("dutch") == network.reader.words.id("flemish")
    one, other = encoded(network, "dutch steel", "flemish steel").words
    assert not torch.allclose(one[0], other[0], atol=1e-4)
    (match,) = network.reader.read("dutch").names
    assert [TINY.vocabulary.tokens[token] for token in match.ids] == ["COU_NETHERLANDS"]
