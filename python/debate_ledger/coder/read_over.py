"""What is not the author's own statement, and is read over up to the end of its clause before any rule looks at a text.

Thoughts before the reply, what is said about others' answers, what is refused or denied, what was said before, and what is asked.
"""

from __future__ import annotations

from debate_ledger.coder.parts import AGENT, ANY_WORDS, CLOSE, MARKED, NOUN, NW, OPEN, VERB, WHO, WORDS, WRAPPED
from debate_ledger.coder.patterns import ReadOver, ci, words_but

#: Thoughts end with their tag; where they are cut off there is no reply, and some logs leave the opening tag out.
_UNTAGGED = "(?:[^<]|<+(?:[^</]|/[^<t]|/t[^<h]))*"
THOUGHTS = rf"<think(?:ing)?>{_UNTAGGED}(?:</think(?:ing)?>|$)|^{_UNTAGGED}</think(?:ing)?>"
#: Marks of chat templates.
_TOKENS = r"<\|[a-z_]+\|>|</s>"

#: A clause of the author's that is refused or denied goes on to a comma or a "but"; one of disagreement to an "and" too.
_ENDS = " .,;:\n"
_CLAUSE_WORD, _DISAGREED_WORD = words_but(("but",), _ENDS), words_but(("but", "and", "because"), _ENDS)
_CLAUSE = rf"(?:{_CLAUSE_WORD} +)*(?:(?:{_CLAUSE_WORD})?[.,;:\n])?"
_DISAGREED = ci("disagree") + rf" (?:{_DISAGREED_WORD} +)*(?:(?:{_DISAGREED_WORD})?[.,;:\n])?"
#: What another one says goes on to the end of the sentence, or to where the author speaks: "but", "while", "I", and ", so".
_OWN = ("but", "while", "although", "i", "i'd", "i'm", "my")
_WORD, _NEXT = words_but(_OWN, " .,;\n"), words_but((*_OWN, "so", "therefore", "however"), " .,;\n")
_REPORT = rf"(?:{_WORD} +|{_WORD}, *(?:{_NEXT}, *)*{_NEXT} +)*(?:(?:{_WORD})?[.,;\n])?"
_REFUSED = (
    ci(
        r"(?:n't|not|never|cannot|no longer|no reason|why|(?:refuse|refuses|refused|decline|declined|unable|hesitate|hesitant|"
        r"reluctant|wrong|mistake|"
        r"tempted|tempting|error) to|instead of|rather than|avoid|without|(?:considered|thought about|thinking about|contemplated))"
        r"(?: (?:to|be|really|yet|necessarily|fully|ever|just|simply|want|able|have|going|been|quite|entirely|sure|"
        r"would|should|anyone))* "
        r"(?:think|thinking|believe|say|agree|claim|choose|choosing|chosen|pick|picking|select|selecting|selected|go with|going with|"
        r"going for|go for|vote|voting|opt|opting|settle|stick|switch|switching|conclude|support|favou?r|recommend|"
        r"endorse|accept|answer|convinced|"
        r"argue|defend|commit|agree|the answer is|doubt that|"
        r"(?:move|moving|shift|shifting|change|changing|revise|revising|update|updating)(?: it| my (?:answer|vote|choice))?(?: over)? to)"
    )
    + rf" {_CLAUSE}|{NW}{ci('(?:i doubt|i had|i have|i)? ?(?:previously|initially|originally),? (?:i )?')}"
    + ci("(?:chose|chosen|selected|picked|said|answered|thought|voted|gave|stated|argued|believed|went with|leaned)")
    + rf" {_CLAUSE}|{NW}{ci('doubt that')} {_CLAUSE}"
)
_ADVERBS = r"(?:,[^,.;:\n]*,)?" + ci(
    r"(?: (?:has|have|also|both|all|each|correctly|incorrectly|rightly|wrongly|mistakenly|initially|first|still|previously|originally|"
    r"then|now|again|often|usually|would|might|could|may|will))*"
)
_SAY = ci(
    r"(?:argue|say|state|claim|suggest|believe|conclude|think|choose|select|pick|answer|identify|guess|mention|propose|favou?r|prefer|"
    r"support|vote|opt|respond|assert|maintain|insist|explain|note|contend|point|settle|acknowledge|admit)"
)
_SAID = ci(
    r"(?:said|thought|chose|chosen|identified|identifies|writes|wrote|finds|found|agrees|(?:went|goes|go) with|"
    r"gave (?:the answer|option)|"
    r"(?:seems?|appears?|tends?) to (?:think|believe|say|favou?r|prefer|choose|agree|lean|conclude)|"
    r"(?:switched|switches|changed|changes|moved|"
    r"moves)(?: (?:its|his|her|their) (?:answer|vote))? to|"
    r"(?:is|are|was|were) wrong that|put it)"
)
_SAYS = rf"{_ADVERBS} (?:{_SAY}(?:{ci('s|es|d|ed|ing|ting')})?|{_SAID})"
_OTHERS = (
    # What else the same agent says, after a "but", is no statement of the author's either.
    rf"(?:{WHO},?{_SAYS}|{ci('(?:he|she|you) (?:said|says|argue(?:s|d)?|claim(?:s|ed)?|suggest(?:s|ed)?|believe(?:s|d)?|wrote)')}|"
    rf"(?:{ci('(?:some|many|most|other)? ?(?:people|students|many|most|everyone|nobody|no one|anyone|someone|you|one)')}){_ADVERBS}"
    rf"{ci(' (?:be tempted to )?(?:chose|choose|picked|pick|selected|select|go with)s?')}) {_REPORT}"
    rf"(?: *{ci('but')}{_SAYS} {_REPORT})*"
)
#: "Agent 2's claim that the answer is (D) overlooks …", "the claim of Agent 2 that …", "To Agent 1: your answer …".
_CLAIM = ci("(?:claim|argument|assertion|suggestion|statement|belief|assumption)")
_CLAIMED = (
    rf"(?:(?:{WHO}'s?|{ci('their|his|her|your')}) (?:[a-z]+ )?{_CLAIM}|{_CLAIM} {ci('(?:of|by|from|made by)')} {WHO}) "
    rf"{ci('(?:that|for)')} {_REPORT}|"
    rf"{ci('to')} {WHO}: {_REPORT}"
)
#: "While some agents chose (A), …", "Based on what the others said, …": what others say in a subordinate phrase ends at its comma, unless a
#: list goes on after it, and what they say in the next clause ends at the next one.
_UP_TO_COMMA = rf"[^.,;\n]*(?:(?:, *{MARKED})+,? *{ci('(?:and|or)')} +{MARKED}[^.,;\n]*)?[.,;\n]"
_SUBORDINATE = (
    ci(
        "(?:while|whilst|although|though|since|because|as|whereas|given|despite|considering|after|based|having|seeing|now that|in light of|"
        "in view of|taking|looking at|knowing|noting|unlike|like)"
    )
    + rf"{WORDS}(?: {WHO}|{ci(' (?:some|many|most|several|both|all|two|everyone|everybody)')}){_SAYS} {_UP_TO_COMMA}"
    rf"(?: {ci('(?:(?:and|but|while|whereas) )?')}{WHO}{_SAYS} {_UP_TO_COMMA})*"
)
#: "Agent 2's answer is (A)": its label and no more, since "Agent 2's answer is correct: (A)" is a statement.
_IS_ANY = (
    rf"(?:{ci(' (?:is|was|were|of|remains|are)')}|[\"'*_]*:)"
    rf"(?:{OPEN}|:|{ci('(?:option|choice|letter|still|also) ')})*(?:[A-Z0-9]|{ci('yes|no|true|false')}){CLOSE}{NW}"
)
_THEIR_ANSWER = (
    rf"(?:{WHO}'s?|{ci('their|his|her|your|majority')}) "
    + ci("(?:(?:final|own|initial|first|previous|original|last|current|proposed|stated|chosen|updated) )*")
    + NOUN
    + _IS_ANY
)
_THEIRS = (
    rf"(?:[\n.,;:(*-] *|{ci('(?:that|and|but|while|as|since|because|though|although|if|the)')} ){_THEIR_ANSWER}"
    rf"(?:[ .,;]*{ci('(?:(?:and|but|while|whereas) )?')}{_THEIR_ANSWER})*"
)
#: "The second best answer is C", "previous answer: C", "agent_1_answer": "C".
_OTHER_ANSWER = (
    ci(
        "(?:previous|earlier|old|second|second best|next best|alternative|alternate|incorrect|wrong|worst|distractor|"
        "least (?:likely|plausible|probable|accurate|suitable|appropriate)|agent_?[0-9]+)"
    )
    + rf"[ _](?:{ci('best |likely |possible ')})?{NOUN}{_IS_ANY}"
)
_ACCORDING = rf"(?:{ci('according to')} {WHO}|{ci('in')} {WHO}'s {ci('(?:view|opinion)')}),? {_REPORT}"
_QUOTED = rf"\"[^\"\n]*,\" (?:{_SAY}{ci('(?:s|es|d|ed)?')}|{ci('said')}) (?:{WHO}|{ci('the (?:first|second|third|other)')})"
#: Scores and remarks on others' solutions ("Agent 1: 4 - …"), and lines of their answers ("Agent 2: (B)", "Agent 1: The answer is B").
_SCORED = rf"{ci('agents?')}{AGENT} ?(?::|=|-)+ *{ci('(?:score:? *(?:of )?)?')}[(\[]*[0-9][^\n]*"
_LISTED = (
    rf"\n[ *#>-]*{ci('agents?')}{AGENT} ?(?::|=|-)+ *(?:{ci('(?:the |my )?(?:final )?answer is ')})?"
    rf"{WRAPPED}(?:[A-Z]|{ci('yes|no|true|false')}){CLOSE}(?:[.;,]? *\n|(?:,| +-) [^\n]*)"
)
#: "Is it (B)?", "The answer is D?", and what is only possible.
_ASKED = (
    rf"{ci('(?:is|be|it|choose|perhaps|maybe)')} {OPEN}*[A-Z0-9]{CLOSE}\?|"
    # "It could be (A), and it could just as well be (D)."
    rf"{ci('it (?:could|may|might)(?: (?:just|as|well|also|equally|possibly|even))* be')} (?:{ci('(?:option|choice|answer)')} )?{MARKED}"
)
#: "If the gas were ideal, the answer would be (C), but …": a condition that does not hold. "If I had to choose" is none.
_SUPPOSED_WORD = words_but(("i", "forced", "asked", "pressed", "pushed"), _ENDS)
_CONTRARY = ci(
    "(?:were|weren't|was|wasn't|had|hadn't|did|didn't|could|ignored|neglected|assumed|asked|used|wanted|meant|changed|read|said|had been)"
)
_NOT_FORCED = words_but(("to", "forced", "asked", "pressed"), _ENDS)
_SUPPOSED = (
    rf"(?:{ci('if')} (?:{_SUPPOSED_WORD} {ANY_WORDS}{_CONTRARY}|{ci('(?:it|they|we)')} [a-z]+ed)(?: {_NOT_FORCED}[^.,;:\n]*)?|"
    rf"(?:Had|Were) [^.,;:\n]*),(?: {ci('then')})?(?: {words_but(('but',), _ENDS)})* {ci('would be')} {_CLAUSE}"
)
#: "Let's consider each option:" is the head of a list.
_LIST_HEAD = (
    rf"(?:{ci('(?:each|every|another|next|following)(?: of the)?(?: (?:possible|given|individual|single))?(?: answer)?')} {NOUN}[*_]*:|"
    rf"{ci('(?:first|second|third|fourth|last|possible)(?: answer)?')} {NOUN}[*_]*:[*_ ]*\n)"
)
#: What follows a new question is not about this one, where an answer stands before it.
_ANSWERED = rf"(?:{NOUN}{VERB}|####|boxed|\([A-Z]\)|[ \n*][A-Z][).]?[*]*\n|[\n *]{ci('(?:yes|no|true|false)')}[.,*]*[ \n])"
FIRST_ANSWERED = rf"[\s\S]*?{_ANSWERED}"
_TASK = "(?:Question|QUESTION|Problem)"
_HERE = ci("(?:here is|here's|here are|now|now for|let's try|try)")
_ANOTHER = ci("(?:a new|another|a similar|some similar|the next|new|next|similar)(?: practice| example)? (?:question|problem)")
_NEXT_QUESTION = (
    rf"^({FIRST_ANSWERED}[\s\S]*?\n)[ *_#>]*"
    rf"(?:(?:(?:{_TASK}|Q)(?: ?#?[0-9]+)?|(?:{_HERE} )?{_ANOTHER}[^\n:?]*|{ci('now try')}[^\n:]*|Human|User)[*_]*:|"
    rf"(?:{_TASK}|Q) ?#?[0-9]+[*_]*[.)]|(?:{_TASK} ?#?[0-9]+|{_HERE} {_ANOTHER}[^\n:?]*|{_ANOTHER})[*_]* *\n)[\s\S]*$"
)
#: A text that begins by repeating its question: "Q: … A: B" states B. What follows "A" in brackets or in a list is an option.
OWN_QUESTION = r"^[\n *_#>]*(?:Q|Question)(?: ?#?[0-9]+)?[*_]*[:.](?:[^A]|A[^:*\n]|A\n)*?[\n ?.]\**A[0-9]?\**:"
#: The key "answer" of a JSON object is its author's statement: what follows it in the object says why.
JSON_ANSWER = (
    rf"([{{,] *\n*[ \n]*[\"'](?:{ci('final|my|own|correct|chosen|selected|best|updated|new|current')})?[_ -]?"
    rf"{ci('(?:answer|choice|option)')}[\"'] *: *(?:\"(?:[^\"\\\n]|\\[^\n])*\"|'[^'\n]*'|[^,\"'}}\n]*))"
    r"(?: *\n*)*,(?:[^\"{}]|\"(?:[^\"\\]|\\[\s\S])*\"|\{[^{}]*\})*"
)
#: So does what follows "#### B" on a line of its own, but for another such line; headings that go through the options begin with A.
_PLAIN = "(?:[^#]|#{1,3}[^#])*"
_HASH_LINE = rf"#### *[(*]*(?:[B-HJ-Z]|{ci('(?:yes|no|true|false)')})[)*]*\.? *\n"
_HASHES = rf"^({_PLAIN}{_HASH_LINE}(?:(?:[^#?]|#{{1,3}}[^#?])*{_HASH_LINE.replace('B-H', 'A-H')})*)[\s\S]*$"
#: One pattern would do, but one of the engines is ten times slower where a pattern is too large for its memory.
READ_OVER = (
    ReadOver(f"{THOUGHTS}|{_TOKENS}", ("<",)),
    ReadOver(JSON_ANSWER, ('":', "':")),
    ReadOver(OWN_QUESTION, ("Q",), "\nanswer:"),
    ReadOver(_NEXT_QUESTION, ("Q", "Problem", "problem", "question:", "question to", "Human:", "User:", "Now try")),
    ReadOver(_HASHES, ("####",)),
    ReadOver(f"{NW}(?:{_SUBORDINATE}|{_OTHER_ANSWER}|{_ASKED}|{_DISAGREED}|{_LIST_HEAD})|{_THEIRS}|{_REFUSED}"),
    ReadOver(f"{NW}(?:{_SUPPOSED})", ("would be",)),
    ReadOver(f"{NW}(?:{_CLAIMED}|{_ACCORDING}|{_QUOTED})", ("ccording to", "'s ", "claim", "To Agent", ',"')),
    ReadOver(f"{NW}(?:{_OTHERS}|{_SCORED})|{_LISTED}"),
)
