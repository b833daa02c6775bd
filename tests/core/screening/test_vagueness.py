"""A lesson says what to do next time, on something, in more than one case."""

import pytest

from core.screening.contract import Follows
from core.screening.vagueness import find_vagueness
from core.vocabulary import Form, Scope

VAGUE = (
    "Be more careful.",
    "Be more careful next time.",
    "Try harder next time",
    "Improve accuracy.",
    "Provide better customer service.",
    "Always do the right thing.",
    "Communicate more effectively with customers.",
    "Avoid mistakes.",
    "Handle edge cases properly.",
    "Use good judgement.",
    "Respond appropriately.",
    "Ensure quality.",
    "Think step by step.",
    "Consider all options.",
    "Double-check everything.",
    "Stay focused.",
    "Use the tools properly.",
    "Read instructions carefully.",
    "Follow the guidelines.",
    "Make better use of the context.",
    "Don't rush.",
    "Keep the customer happy.",
    "Pay attention to details when processing refunds.",
    "Handle refund requests with more care.",
    "In future sessions, strive to deliver an improved experience by being more attentive to the needs of each "
    "customer.",
    "Be careful with dates and times when you book flights for the customer.",
    "Process refunds correctly.",
    "Answer questions accurately.",
    "Calculate refunds accurately.",
    "Learn from this mistake.",
    "Don't repeat the same error.",
    "Understand the customer's needs before answering.",
    "Provide accurate information.",
    "Escalate when necessary.",
    "Think before you act.",
    "Take more care with numbers.",
    "Be proactive.",
    "Listen to the customer.",
    "Make sure everything is correct before answering.",
    "Verify all information before responding.",
    "Customers need quick answers.",
    "Responses should be more accurate.",
    "The agent must be polite at all times.",
    "Always remember to be thorough.",
    "Do a better job with refunds.",
    "Work on your communication skills.",
    "Strive for excellence.",
    "Show more empathy.",
    "Pay closer attention to what the user says.",
    "Refund handling could be better.",
    "Double-check your work before submitting.",
    "Next time, do it properly.",
    "Ensure a smooth experience for the customer.",
    "Make fewer errors in calculations.",
    "Take ownership of the problem.",
    "Be smarter about tool use.",
    "Be more precise in refund calculations.",
    "Improve how you handle cancellations.",
    "Focus on the customer's actual problem.",
    "Give good answers.",
    "Keep calm with loud callers.",
    "Stay composed in a dispute.",
    "Give clearer explanations.",
    "Write cleaner code.",
    "Send faster replies.",
    "Write proper tests.",
    "Deliver excellent service on every call.",
    "Raise the bar.",
    "Put yourself in the customer's shoes.",
    "Find the right balance.",
    "Pay more attention to the tickets.",
    "Try harder with the tickets.",
    "Maintain a friendly tone with guests and callers.",
    "Maintain a professional attitude with angry callers.",
    "Offer excellent support to premium clients.",
)

ONE_CASE = (
    "Asha's refund was wrong.",
    "The refund was processed twice.",
    "Order #W2378156 was cancelled by mistake.",
    "The agent forgot to verify the identity of the caller.",
    "Mr. Gupta was told the wrong price.",
    "When Asha calls, check her booking first.",
    "Refund order 48213 in full.",
    "The customer was angry because the answer was late.",
    "Tell Maria Lopez that her parcel is late.",
    "Booking ZFA04Y should be moved to Tuesday.",
    "mia_li_3668 wanted a refund.",
    "This customer prefers emails.",
    "Yesterday the flight was cancelled and nobody informed the passenger.",
    "Ticket TCK-4471 was closed too early.",
    "Raj asked for an upgrade and did not get it.",
    "I gave the wrong date to the student.",
    "Invoice INV-2024-0031 needs a correction.",
    "Call Priya back about the router.",
    "The user John was charged twice for the flight.",
    "Oyelaran's claim was rejected without reason.",
    "Call the Meyersons about their parcel.",
    "Move the appointment of the Johanssons to Friday.",
    "Refund half of Okonkwo's booking now.",
    "Tell Ragnhild that her visa is ready.",
    "Remind Takeshi about the deposit.",
    "Give the couple from room 12 a late checkout.",
    "Ask the gentleman from Lyon for his invoice.",
    "Her parcel is late, so call her.",
    "Charge only half the fee this time.",
    "Repair job 4471 needs a new pump.",
    "Subscription sub_88231 should be paused.",
    "Send the keys to flat 4b in Elm Street.",
    "Change the seat of passenger Ferreira to 14C.",
    "He wants his money by Friday.",
)

GOOD = (
    "Check the refund policy before telling a student they are eligible.",
    "Ask for the registered email before looking up an enrollment.",
    "Certificates need the final project; check project status first.",
    "Compare the student's progress with the 20% refund limit before answering.",
    "Never promise a delivery date.",
    "Quote the fee in rupees, not in dollars.",
    "Respond within 24 hours.",
    "Keep answers under 100 words.",
    "If the API returns 429, wait 30 seconds before retrying.",
    "Escalate complaints about injuries to the safety team within one hour.",
    "Be specific: name the plan and the price.",
    "Apologise when the customer is upset.",
    "Refunds above 500 need a manager's approval.",
    "Orders with status delivered can only be returned, not cancelled.",
    "Do not cancel a basic economy ticket without travel insurance.",
    "Use the customer's time zone when you propose a slot.",
    "When a payment fails, look up the error code before asking for another card.",
    "Reconcile the ledger against the bank statement at month end.",
    "Make sure the return label is attached before closing the ticket.",
    "Before changing an address, match the account number and the registered mobile.",
    "I failed to read the log because I retried at once; next time, read the log before each retry.",
    "Certificates must be checked against the enrolment list.",
    "Always state the cancellation fee before cancelling.",
    "Convert prices to the customer's currency before quoting.",
    "Don't read out account data until the caller has been verified.",
    "For damaged goods, ask for a photo before offering an exchange.",
    "Offer store credit when the refund window has closed.",
    "Summarise the changes and wait for a yes before updating the reservation.",
    "Name the rule that decides.",
    "Say which document is missing instead of rejecting the application.",
    "Never recommend single stocks.",
    "Describe a product's past return with its dates and its risk, and never call any return certain.",
    "Pass questions about single stocks on to a registered adviser.",
    "Ask one question at a time when the customer is confused.",
    "Confirm the spelling of the passenger's surname before booking.",
    "Test the function with an empty list before returning it.",
    "Close files in a finally block.",
    "Use ISO 8601 dates in tool arguments.",
    "Avoid calling the search tool twice with the same query.",
    "Give the total with tax included.",
    "Transfer to a human if the user asks for one twice.",
    "Refund only to the original payment method.",
    "Return an empty list instead of None.",
    "Log the error code.",
    "Ensure that the shipping address is in the same country as the payment card.",
    "Double-check the passenger's date of birth against the passport before ticketing.",
    "When two flights tie on price, prefer the one with fewer stops.",
    "The agent should read back the IBAN in groups of four.",
    "Gift cards cannot be refunded to a credit card.",
    "Acknowledge the delay before explaining the procedure.",
    'Speak of "up to" speeds and name the measured range.',
    "Consider the customer's membership tier before quoting the baggage fee.",
    "With gold members, waive nothing without a supervisor.",
    "Keep a running total of the basket.",
    "Take the exchange rate from the day's rate sheet.",
    "Tell the caller how long the hold will be.",
    "Stop after the second failed login and lock the account.",
    "Include the time zone in every appointment.",
    "Read the whole error message before editing the file.",
    "Provide the tracking link in the first reply.",
    "Offer another room only when the first one is taken.",
    "Read what the caller has refused before suggesting anything, and suggest only what is left.",
    "Begin with the total, then show how it is composed.",
    "Call the tool again only if its first answer was empty.",
    "Remain on the line until the nurse answers.",
    "Stay below the limit of 3 calls a minute.",
    "Use the newer of two article versions.",
    "Use shorter timeouts for the search tool.",
    "Give a clear deadline with date and hour.",
    "Log the error code.",
    "Follow the Stripe guide for disputes.",
    "Check Amazon's policy before answering on returns.",
    "Ask Finance for approval above 500 euros.",
    "Open the Settings and read the plan.",
    "If the customer is in the Netherlands, quote in euros.",
    "On Mondays, warn callers that the depot opens at noon.",
    "Ask the woman or man at the desk for an id.",
    "Name this time zone with every hour.",
    "Tell the tenant what follows after a warning, and by when.",
    "Put the number first and the reason after it.",
    "Pay the deposit back to guests who leave early.",
    "When the list is empty, try the plural form.",
    "Ask whether the first question is settled as well before closing.",
    "Hide closed tickets from the list.",
    "Give a polite refusal with the reason and one alternative.",
    "Provide correct postage before sealing the envelope.",
    "Show the right form for each country.",
    "Note the flat number and the floor before dispatch.",
    "Tell the family of a patient where to wait.",
)


@pytest.mark.parametrize("text", VAGUE)
def test_good_will_alone_is_refused_with_what_is_missing(text):
    (finding,) = find_vagueness(text)
    assert finding.code.startswith("vague")
    assert finding.follows is Follows.REFUSE
    assert finding.text
    assert finding.possible


@pytest.mark.parametrize("text", ONE_CASE)
def test_what_is_about_one_case_is_refused_with_the_words_that_say_so(text):
    (finding,) = find_vagueness(text)
    assert finding.code == "one_case"
    assert finding.words == text[finding.place.start : finding.place.end]
    assert finding.follows is Follows.REFUSE


@pytest.mark.parametrize("text", GOOD)
def test_an_instruction_passes(text):
    form = Form.REFLECTION if text.startswith("I ") else Form.INSTRUCTION
    assert not find_vagueness(text, form=form)


def test_a_text_in_another_language_is_left_to_a_person():
    (finding,) = find_vagueness("ग्राहक से पहले ऑर्डर नंबर पूछें और फिर धनवापसी करें।")
    assert finding.code == "not_judged"
    assert finding.follows is Follows.FLAG


def test_a_lesson_about_one_user_may_name_that_user():
    text = "Send Asha the invoice as a PDF before the call."
    assert find_vagueness(text)
    assert not find_vagueness(text, scope=Scope.USER)


def test_a_reflection_may_tell_what_happened_when_it_says_what_comes_next():
    told = "I retried at once and missed the message in the log; next time, read the log before the retry."
    assert not find_vagueness(told, form=Form.REFLECTION)
    assert find_vagueness("I retried at once and missed the message in the log.", form=Form.INSTRUCTION)


def test_a_reflection_without_a_comma_behind_next_time_passes():
    text = "I failed because I guessed the room. Next time I'll load the plan of the actual floor."
    assert find_vagueness(text, form=Form.REFLECTION) == ()
