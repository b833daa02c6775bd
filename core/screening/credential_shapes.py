"""The shapes that credentials of known makers have, each with the letters by which it is found.

Screening, secrets. A shape is tried only where one of its hints stands in the text, and every repetition in a pattern
is bounded or runs over one class of characters, so the time grows with the length of the text and with nothing else.
Source of the shapes: the makers' own documentation of their tokens.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_START = r"(?<![A-Za-z0-9])"
_END = r"(?![A-Za-z0-9])"


@dataclass(frozen=True)
class Shape:
    """One maker's credential: ``code`` names it, ``hints`` must stand in the text, ``pattern`` decides.

    Where the pattern has a group, only the group is the secret. ``mixed`` asks for a digit or an upper-case letter
    after the prefix, so that names made of words pass.
    """

    code: str
    hints: tuple[str, ...]
    pattern: re.Pattern[str]
    mixed: bool = False


def _shape(code: str, hints: str, pattern: str, *, mixed: bool = False) -> Shape:
    return Shape(code, tuple(hints.split()), re.compile(pattern), mixed)


def _prefixed(code: str, prefixes: str, tail: str, *, mixed: bool = False) -> Shape:
    """A literal prefix and what follows it; the prefixes are the hints."""
    either = "|".join(re.escape(prefix) for prefix in prefixes.split())
    return _shape(code, prefixes, f"{_START}(?:{either}){tail}", mixed=mixed)


_WIDE = r"[A-Za-z0-9_-]"

SHAPES: tuple[Shape, ...] = (
    _prefixed("tutelage_token", "tut_", rf"{_WIDE}{{43}}"),
    # Clouds
    _prefixed("aws_access_key", "AKIA ASIA AROA AIDA AGPA ANPA ANVA ABIA ACCA", rf"[A-Z0-9]{{16}}{_END}"),
    _prefixed("aws_bedrock_key", "ABSKQmVkcm9ja0FQSUtleS ABSK bedrock-api-key-", r"[A-Za-z0-9+/=_-]{40,}", mixed=True),
    _prefixed("google_api_key", "AIza", rf"{_WIDE}{{33,40}}"),
    _prefixed("google_oauth", "ya29. GOCSPX- 1//0", rf"{_WIDE}{{20,}}", mixed=True),
    _shape("gcp_service_account", "private_key_id", r"private_key_id[\"'\s:=]{1,6}([0-9a-f]{40})"),
    _shape(
        "azure_storage_key",
        "AccountKey= SharedAccessKey= sharedaccesskey=",
        r"(?:AccountKey|SharedAccessKey|sharedaccesskey)=([A-Za-z0-9+/]{40,90}={0,2})",
    ),
    _shape(
        "azure_client_secret", "8Q~ 7Q~ 6Q~ Q~", r"(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,34}"
    ),
    _shape("azure_sas", "sig=", r"[?&]sig=([A-Za-z0-9%+/]{30,90}(?:%3[dD]|=)?)"),
    _shape(
        "azure_key",
        "JQQJ99 AZDO AzFu AzCa ASt",
        r"(?<![A-Za-z0-9])[A-Za-z0-9+/]{20,70}(?:JQQJ99|AZDO|AzFu|\+ASt|AzCa)[A-Za-z0-9+/=]{4,40}",
    ),
    _prefixed("agent_token", "tut_", r"[a-f0-9]{48}"),
    _prefixed("digitalocean_token", "dop_v1_ doo_v1_ dor_v1_", r"[a-f0-9]{64}"),
    _prefixed("heroku_key", "HRKU-", rf"{_WIDE}{{30,}}"),
    _prefixed("alibaba_access_key", "LTAI", rf"[A-Za-z0-9]{{12,24}}{_END}", mixed=True),
    _prefixed("tencent_secret_id", "AKID", rf"[A-Za-z0-9]{{13,40}}{_END}", mixed=True),
    _prefixed("yandex_key", "AQVN t1.", rf"{_WIDE}{{30,}}", mixed=True),
    _prefixed("scaleway_key", "SCW", rf"[A-Z0-9]{{17}}{_END}", mixed=True),
    _prefixed("openshift_token", "sha256~", rf"{_WIDE}{{43}}"),
    _prefixed("pulumi_token", "pul-", rf"[a-f0-9]{{40}}{_END}"),
    _prefixed("tailscale_key", "tskey-", rf"{_WIDE}{{16,}}", mixed=True),
    _prefixed("clickhouse_key", "4b1d", rf"[A-Za-z0-9]{{38}}{_END}"),
    _prefixed("one_password_token", "ops_eyJ", r"[A-Za-z0-9+/]{60,}"),
    _shape(
        "one_password_key",
        "A3-",
        rf"{_START}A3-[A-Z0-9]{{6}}-(?:[A-Z0-9]{{11}}|[A-Z0-9]{{6}}-[A-Z0-9]{{5}})(?:-[A-Z0-9]{{5}}){{3}}",
    ),
    _prefixed("fly_token", "fm1_ fm2_ fo1_", r"[A-Za-z0-9+/=_-]{40,}"),
    _prefixed("cloudflare_token", "v1.0-", r"[a-f0-9]{24}-[a-f0-9]{100,}"),
    _prefixed("netlify_token", "nfp_ nfc_", r"[A-Za-z0-9]{30,}"),
    _prefixed("supabase_key", "sbp_ sb_secret_", rf"{_WIDE}{{20,}}"),
    _prefixed("planetscale_token", "pscale_tkn_ pscale_pw_ pscale_oauth_", r"[A-Za-z0-9_.=-]{30,}"),
    _prefixed("databricks_token", "dapi dkea dose", r"[a-f0-9]{32}(?:-\d)?"),
    _prefixed("vault_token", "hvs. hvb. hvr.", rf"{_WIDE}{{20,}}"),
    _shape("terraform_token", ".atlasv1.", rf"{_START}[A-Za-z0-9]{{10,16}}\.atlasv1\.{_WIDE}{{40,}}"),
    _prefixed("doppler_token", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim.", r"[A-Za-z0-9._]{30,}"),
    # Models
    _prefixed("anthropic_key", "sk-ant-", rf"{_WIDE}{{16,}}"),
    _prefixed("openrouter_key", "sk-or-v1- sk-or-", rf"{_WIDE}{{20,}}"),
    _prefixed("openai_key", "sk-proj- sk-svcacct- sk-admin- sk-None-", rf"{_WIDE}{{12,}}", mixed=True),
    _prefixed("langfuse_key", "sk-lf-", rf"{_WIDE}{{20,}}"),
    _prefixed("model_api_key", "sk-", rf"[A-Za-z0-9]{_WIDE}{{14,}}", mixed=True),
    _prefixed("groq_key", "gsk_", r"[A-Za-z0-9]{20,}"),
    _prefixed("xai_key", "xai-", r"[A-Za-z0-9]{40,}"),
    _prefixed("hugging_face_token", "hf_ api_org_", r"[A-Za-z0-9]{28,}"),
    _prefixed("replicate_token", "r8_", r"[A-Za-z0-9]{30,}"),
    _prefixed("perplexity_key", "pplx-", r"[A-Za-z0-9]{30,}"),
    _prefixed("nvidia_key", "nvapi-", rf"{_WIDE}{{30,}}"),
    _prefixed("cerebras_key", "csk-", r"[a-z0-9]{30,}"),
    _prefixed("fireworks_key", "fw_ fpk_", r"[A-Za-z0-9]{22,}", mixed=True),
    _prefixed("together_key", "tgp_v1_", rf"{_WIDE}{{30,}}"),
    _prefixed("pinecone_key", "pcsk_", rf"{_WIDE}{{30,}}"),
    _prefixed("langsmith_key", "lsv2_pt_ lsv2_sk_ ls__", rf"{_WIDE}{{30,}}"),
    _prefixed("tavily_key", "tvly-", rf"{_WIDE}{{20,}}"),
    _prefixed("elevenlabs_key", "sk_", rf"[a-f0-9]{{48}}{_END}"),
    _prefixed("voyage_key", "pa-", rf"{_WIDE}{{40,}}", mixed=True),
    # Code hosts and registries
    _prefixed("github_token", "ghp_ gho_ ghu_ ghs_ ghr_", r"[A-Za-z0-9]{30,}"),
    _prefixed("github_token", "github_pat_", r"[A-Za-z0-9_]{30,}"),
    _prefixed(
        "gitlab_token",
        "glpat- gldt- glrt- glcbt- glptt- glft- glffct- glimt- glagent- glsoat- gloas- GR1348941",
        r"[A-Za-z0-9_.-]{18,}",
    ),
    _prefixed("atlassian_token", "ATATT3 ATCTT3 ATBB", r"[A-Za-z0-9_=-]{20,}", mixed=True),
    _prefixed("artifactory_key", "AKCp cmVmd", rf"[A-Za-z0-9]{{59,69}}{_END}"),
    _prefixed("buildkite_token", "bkua_", rf"[a-z0-9]{{40}}{_END}"),
    _prefixed("circleci_token", "CCIPAT_ CCIPRJ_", rf"[A-Za-z0-9_]{{30,}}{_END}"),
    _prefixed("sourcegraph_token", "sgp_", r"[a-fA-F0-9_]{40,60}"),
    _prefixed("snyk_token", "snyk_uat. snyk_sat.", r"[A-Za-z0-9._-]{30,}"),
    _prefixed("octopus_key", "API-", rf"[A-Z0-9]{{26}}{_END}"),
    _prefixed("prefect_key", "pnu_ pnb_", rf"[A-Za-z0-9]{{36}}{_END}"),
    _prefixed("clojars_token", "CLOJARS_", r"[a-z0-9]{60}"),
    _prefixed("npm_token", "npm_", rf"[A-Za-z0-9]{{30,}}{_END}"),
    _prefixed("pypi_token", "pypi-AgE pypi-", rf"{_WIDE}{{40,}}", mixed=True),
    _prefixed("rubygems_key", "rubygems_", r"[a-f0-9]{48}"),
    _prefixed("docker_token", "dckr_pat_ dckr_oat_", rf"{_WIDE}{{20,}}"),
    _prefixed("nuget_key", "oy2", rf"[a-z0-9]{{43}}{_END}"),
    _prefixed("sentry_token", "sntrys_ sntryu_", r"[A-Za-z0-9+/=_-]{30,}"),
    _prefixed("postman_key", "PMAK-", r"[a-f0-9]{24}-[a-f0-9]{34}"),
    _prefixed("grafana_token", "glc_ glsa_", r"[A-Za-z0-9+/=_]{30,}"),
    _prefixed("new_relic_key", "NRAK- NRII- NRJS-", rf"{_WIDE}{{19,}}"),
    # Payment and shops
    _prefixed("stripe_key", "sk_live_ sk_test_ rk_live_ rk_test_ whsec_", r"[A-Za-z0-9+/=]{10,}"),
    _prefixed("razorpay_key", "rzp_live_ rzp_test_", r"[A-Za-z0-9]{12,}"),
    _prefixed("square_token", "sq0atp- sq0csp- sq0idp- EAAA", rf"{_WIDE}{{20,}}", mixed=True),
    _shape("paypal_token", "access_token$", r"access_token\$(?:production|sandbox)\$[a-z0-9]{10,}\$[a-f0-9]{20,}"),
    _prefixed("shopify_token", "shpat_ shpca_ shppa_ shpss_ shprt_", r"[a-fA-F0-9]{30,}"),
    _prefixed("mercado_pago_token", "APP_USR-", rf"{_WIDE}{{30,}}", mixed=True),
    _prefixed("paddle_key", "pdl_live_apikey_ pdl_sdbx_apikey_", r"[A-Za-z0-9_]{20,}"),
    _prefixed("xendit_key", "xnd_production_ xnd_development_", r"[A-Za-z0-9]{20,}"),
    _prefixed("midtrans_key", "Mid-server-", rf"{_WIDE}{{16,}}"),
    _prefixed("klarna_key", "klarna_live_api_ klarna_test_api_", r"[A-Za-z0-9+/=_-]{20,}"),
    _prefixed("shippo_token", "shippo_live_ shippo_test_", r"[a-fA-F0-9]{40}"),
    _prefixed("easypost_key", "EZAK EZTK", rf"[A-Za-z0-9]{{54}}{_END}"),
    _prefixed("duffel_token", "duffel_live_ duffel_test_", rf"{_WIDE}{{30,}}"),
    _prefixed("mollie_key", "live_ test_", rf"[A-Za-z0-9]{{30,}}{_END}", mixed=True),
    _prefixed("flutterwave_key", "FLWSECK- FLWSECK_TEST-", rf"{_WIDE}{{12,}}"),
    _shape("plaid_token", "access-", r"access-(?:sandbox|development|production)-[0-9a-f]{8}-[0-9a-f-]{20,}"),
    # Chat, mail, telephony
    _prefixed("slack_token", "xoxb- xoxp- xoxa- xoxr- xoxs- xoxe- xoxe. xoxc- xoxd- xapp-", r"[A-Za-z0-9.%-]{10,}"),
    _shape(
        "slack_webhook", "hooks.slack.com", r"hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9/_-]{20,}"
    ),
    _shape("discord_webhook", "api/webhooks/", r"discord(?:app)?\.com/api/webhooks/\d{10,25}/[A-Za-z0-9_-]{40,}"),
    _shape("teams_webhook", "webhook.office.com", r"webhook\.office\.com/webhookb2/[A-Za-z0-9@/-]{40,}"),
    _shape(
        "discord_token",
        "M N O",
        rf"{_START}[MNO][A-Za-z0-9_-]{{22,27}}\.[A-Za-z0-9_-]{{6}}\.[A-Za-z0-9_-]{{27,38}}",
        mixed=True,
    ),
    _shape("telegram_token", ":A", r"(?<!\d)\d{8,10}:A[A-Za-z0-9_-]{33,35}(?![A-Za-z0-9_-])"),
    _shape("twilio_key", "SK AC", rf"{_START}(?:SK|AC)[0-9a-f]{{32}}{_END}"),
    _shape("sendgrid_key", "SG.", rf"{_START}SG\.{_WIDE}{{16,32}}\.{_WIDE}{{16,64}}"),
    _prefixed("mailgun_key", "key- private-", rf"[0-9a-f]{{32}}{_END}"),
    _shape("mailchimp_key", "-us", rf"{_START}[0-9a-f]{{32}}-us\d{{1,2}}{_END}"),
    _prefixed("brevo_key", "xkeysib- xsmtpsib-", r"[a-f0-9]{40,}-[A-Za-z0-9]{10,}"),
    _prefixed("mailersend_key", "mlsn.", r"[a-f0-9]{60,}"),
    _prefixed("postmark_key", "pm-", rf"[a-f0-9]{{32,}}{_END}"),
    _prefixed("typeform_token", "tfp_", r"[A-Za-z0-9_.=-]{40,}"),
    _prefixed("sendbird_token", "sb-", rf"[a-f0-9]{{40}}{_END}"),
    _prefixed("resend_key", "re_", r"[A-Za-z0-9]{6,10}_[A-Za-z0-9]{20,30}", mixed=True),
    # Work tools
    _prefixed("linear_key", "lin_api_ lin_oauth_", r"[A-Za-z0-9]{30,}"),
    _prefixed("notion_token", "ntn_ secret_", r"[A-Za-z0-9]{40,}", mixed=True),
    _shape("airtable_token", "pat", rf"{_START}pat[A-Za-z0-9]{{14}}\.[a-f0-9]{{40,64}}"),
    _prefixed("figma_token", "figd_", rf"{_WIDE}{{30,}}"),
    _shape("hubspot_token", "pat-", rf"{_START}pat-(?:na|eu|ap)\d-[0-9a-fA-F-]{{30,40}}"),
    _shape("mapbox_token", "sk.eyJ", rf"{_START}sk\.eyJ{_WIDE}{{20,}}\.{_WIDE}{{10,}}"),
    _prefixed("asana_token", "1/ 2/", r"\d{12,20}[:/][a-f0-9]{32}"),
    _prefixed("trello_token", "ATTA", rf"[A-Za-z0-9]{{60,}}{_END}", mixed=True),
    _prefixed("clickup_token", "pk_", rf"\d{{5,12}}_[A-Z0-9]{{30,}}{_END}"),
    _prefixed("contentful_token", "CFPAT-", rf"{_WIDE}{{40,}}"),
    _prefixed("dropbox_token", "sl.", rf"{_WIDE}{{60,}}", mixed=True),
    _prefixed("dynatrace_token", "dt0c01. dt0s01. dt0s16.", r"[A-Z0-9]{8,24}\.[A-Z0-9]{60,70}"),
    _prefixed("frame_io_token", "fio-u-", rf"{_WIDE}{{60,}}"),
    _prefixed("posthog_key", "phx_ phs_", rf"[A-Za-z0-9]{{40,}}{_END}"),
    _prefixed("readme_key", "rdme_", r"[a-z0-9]{60,}"),
    _prefixed("adafruit_key", "aio_", rf"[A-Za-z0-9]{{26,30}}{_END}", mixed=True),
    _prefixed("adobe_secret", "p8e-", rf"{_WIDE}{{32}}{_END}"),
    _prefixed("apify_token", "apify_api_", r"[A-Za-z0-9]{30,}"),
    _prefixed("scalingo_token", "tk-us-", rf"{_WIDE}{{48}}"),
    _prefixed("infracost_key", "ico-", rf"[A-Za-z0-9]{{32}}{_END}"),
    _prefixed("harness_key", "pat. sat.", r"[A-Za-z0-9_-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}"),
    _shape("maxmind_key", "_mmk", rf"{_START}[A-Za-z0-9]{{6}}_[A-Za-z0-9]{{29}}_mmk{_END}"),
    _prefixed("firebase_key", "AAAA", rf"{_WIDE}{{7}}:APA91b{_WIDE}{{60,}}"),
    _prefixed("facebook_token", "EAACEdEose0cBA EAAG EAAB EAAC EAAM", r"[A-Za-z0-9]{60,}", mixed=True),
    # Forms that many makers share
    _shape("jwt", "eyJ", rf"(?<![A-Za-z0-9_-])eyJ{_WIDE}{{8,}}\.{_WIDE}{{8,}}(?:\.{_WIDE}*){{0,3}}"),
    _prefixed("age_key", "AGE-SECRET-KEY-1", r"[A-Z0-9]{50,}"),
)

_BY_HINT = tuple((hint, shape) for shape in SHAPES for hint in shape.hints)
SHORTEST = 14
"""Characters that every shape has without a space."""
_LONG_RUN = re.compile(rf"[A-Za-z0-9_.+/=%:$~-]{{{SHORTEST},}}")
"""Every shape has such a run with its hint inside; most sentences have none and are done with."""
_PEM = re.compile(r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d")
_PEM_END = re.compile(r"-----END [A-Z0-9 ]{0,40}-----")
_PEM_BODY = re.compile(r"(?:\s|\\[nr]|[A-Za-z0-9+/=:,-]{16,})*")
_MIXED = re.compile(r"[0-9]|[a-z][A-Z]|[A-Z][a-z]{0,3}[A-Z]")


def credentials_by_shape(text: str, long: str) -> Iterator[tuple[int, int, str]]:
    """Places (start, end, code) of credentials that are known by their shape alone. ``text`` is plain, ``long`` are its
    words of at least ``SHORTEST`` characters.
    """
    runs = " ".join(_LONG_RUN.findall(long))
    if not runs:
        return
    yield from _pem_blocks(text)
    for shape in dict.fromkeys([shape for hint, shape in _BY_HINT if hint in runs]):
        yield from _of_shape(text, shape)


def _of_shape(text: str, shape: Shape) -> Iterator[tuple[int, int, str]]:
    for match in shape.pattern.finditer(text):
        start, end = match.span(match.lastindex or 0)
        if not shape.mixed or _looks_made(text[start:end]):
            yield start, end, shape.code


def _looks_made(token: str) -> bool:
    """Whether a token was made by a machine: digits among its letters, or cases that change inside a word."""
    return bool(_MIXED.search(token.partition("-")[2] or token))


def _pem_blocks(text: str) -> Iterator[tuple[int, int, str]]:
    """From the first line of a private key to its last, or as far as it goes where the last line is missing."""
    if "PRIVATE KEY" not in text and "PuTTY" not in text:
        return
    last_closing, done = text.rfind("-----END"), 0
    for begin in _PEM.finditer(text):
        if begin.start() < done:
            continue
        closing = _PEM_END.search(text, begin.end()) if begin.end() <= last_closing else None
        body = _PEM_BODY.match(text, begin.end())
        done = closing.end() if closing else body.end() if body else begin.end()
        yield begin.start(), done, "private_key"
