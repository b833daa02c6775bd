"""Packages that look quotes up in a text, for comparison. None of them is used by the desk; each is optional."""

import importlib.metadata
import logging
from collections.abc import Callable, Sequence

Accepted = list[bool]
Peer = Callable[[Sequence[str], str], Accepted]
"""Which of the quotes of one text a package accepts, asked as its own documentation asks it."""


def langextract_together() -> Peer:
    """Exact alignment of all quotes in one call, which reads the text once."""
    from langextract import resolver
    from langextract.core import data

    def accepted(quotes: Sequence[str], text: str) -> Accepted:
        groups = [[data.Extraction(extraction_class="quote", extraction_text=quote)] for quote in quotes]
        aligned = resolver.WordAligner().align_extractions(groups, text, enable_fuzzy_alignment=False)
        return [group[0].alignment_status is data.AlignmentStatus.MATCH_EXACT for group in aligned]

    return accepted


def langextract_one_by_one() -> Peer:
    """Exact alignment, a call for each quote."""
    together = langextract_together()
    return lambda quotes, text: [together([quote], text)[0] for quote in quotes]


def verbatim_core() -> Peer:
    """The check of spans that its extractor makes after the model, in its mode for retyped spans."""
    from verbatim_core.extractors import LLMSpanExtractor

    logging.getLogger("verbatim_core").setLevel(logging.ERROR)
    extractor = LLMSpanExtractor(llm_client=_NO_MODEL, span_match_mode="fuzzy")
    return lambda quotes, text: [bool(extractor._verify_spans([quote], text)) for quote in quotes]


_NO_MODEL = object()
"""Stands where a client of a model is wanted that is never called."""


def proof_citations() -> Peer:
    """A quote on a page that was fetched before."""
    from proof_citations import verify_citation

    def verified(quote: str, text: str) -> bool:
        answer = verify_citation(
            "https://example.org/", quote, "quote", snapshot=text, skip_live_fetch=True, oa_lookup=False
        )
        return bool(answer["status"] == "verified")

    return lambda quotes, text: [verified(quote, text) for quote in quotes]


def linkml_reference_validator() -> Peer:
    """A supporting text in a reference that was fetched before; the text is folded once for all its quotes."""
    from linkml_reference_validator.models import ReferenceContent, ReferenceValidationConfig
    from linkml_reference_validator.validation.supporting_text_validator import SupportingTextValidator

    def accepted(quotes: Sequence[str], text: str) -> Accepted:
        validator = SupportingTextValidator(ReferenceValidationConfig())
        reference = ReferenceContent(reference_id="text", content=text)
        return [validator.find_text_in_reference(quote, reference).found for quote in quotes]

    return accepted


PEERS: dict[str, tuple[str, Callable[[], Peer]]] = {
    "langextract exact, ten quotes a call": ("langextract", langextract_together),
    "langextract exact, one a call": ("langextract", langextract_one_by_one),
    "verbatim-core": ("verbatim-core", verbatim_core),
    "proof-citations": ("proof-citations", proof_citations),
    "linkml-reference-validator": ("linkml-reference-validator", linkml_reference_validator),
}
"""The package that each way needs, and how it is made ready."""


GOALS: dict[str, float] = {
    "langextract exact, ten quotes a call": 100,
    "langextract exact, one a call": 500,
    "verbatim-core": 20,
    "proof-citations": 60,
    "linkml-reference-validator": 1.8,
}
"""How many times our time each should take at least."""


def version(package: str) -> str | None:
    """The version that is installed, or None."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None
