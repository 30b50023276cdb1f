"""What a derivation says beside the ruleset's own names and rules, in both languages and in the game's own words."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from attrs import frozen

from parlour_engine.rulesets import Ruleset
from parlour_server.record_text import counted

Number = Callable[[int], str]
Text = Callable[[str], str]
Pair = Callable[[str, str], str]


@frozen
class Words:
    """Every phrase of one language; those that take something are functions of it."""

    language: str
    space: str
    comma: str
    colon: str
    semicolon: str
    stop: str
    winds: tuple[str, str, str, str]
    round: Text
    heading: Callable[[str, str, str], str]
    """Game, version and id of the record."""
    options: Text
    wins: Mapping[str, Pair]
    """By the name of the way: the winner and whose tile it was."""
    lost: Text
    not_winning: Text
    flags: Mapping[str, str]
    in_hand: str
    win_tile: str
    tile: str
    melds: str
    flowers: str
    none: str
    reading: str
    best: Callable[[int, int, str], str]
    """How many readings, by how much, what the next comes to."""
    only: str
    considered: str
    more: Number
    legend: str
    forms: Mapping[str, str]
    rows: str
    no_rows: str
    each: Number
    doubles: Number
    half_limit: str
    whole_limit: str
    replaced: str
    gives_way: Text
    sum: str
    points: str
    doubled: Text
    limit: str
    limit_by: Text
    void: str
    added: Pair
    total: str
    waits: Text
    payments: str
    pays: Callable[[str, str, str], str]
    reasons: Mapping[str, str]
    twice: str
    difference: Pair
    net: str
    others_unknown: str
    danger: Callable[[str, str, str], str]
    """Discarder, winner, what the winner had shown."""
    warnings: Mapping[str, str]
    danger_pays: Text
    danger_open: Text
    excuses: Mapping[str, Text]
    unjudged: str
    missing: Number
    missing_heading: str
    nearest: Text
    completing: str
    helping: str
    parts: str
    complete: str
    lacking: Number
    lacks_one_of: Text
    spare: str
    other_forms: str
    set: str
    eyes: str
    standard: str


def _english(game: Mapping[str, str]) -> Words:
    chow, pong, gong = game["chow"], game["pong"], game["gong"]
    wins, flower = game["wins"], game["flower"]
    return Words(
        language="en",
        space=" ",
        comma=", ",
        colon=": ",
        semicolon="; ",
        stop=".",
        winds=("East", "South", "West", "North"),
        round=lambda wind: f"Round of {wind}.",
        heading=lambda game, version, name: f"{game} ({version}), record {name}",
        options=lambda options: f"House rules: {options}",
        wins={
            "discard": lambda winner, other: f"{winner} {wins} on a discard of {other}.",
            "self_draw": lambda winner, other: f"{winner} {wins} by drawing the tile.",
            "robbed_gong": lambda winner, other: f"{winner} {wins} by robbing a {gong} of {other}.",
            "dealt": lambda winner, other: f"{winner} {wins} on the tiles as dealt.",
            "flowers": lambda winner, other: f"{winner} {wins} by {flower}s.",
        },
        lost=lambda player: f"{player} has not won.",
        not_winning=lambda player: f"{player} does not win.",
        flags={
            "replacement": "The tile was a replacement.",
            "last_tile": "It was the last tile of the wall.",
            "first_discard": "It was the first discard of the deal.",
            "gong_on_gong": f"It came after a {gong} on a {gong}.",
            "called": "The hand had been called.",
        },
        in_hand="In hand",
        win_tile="Winning tile",
        tile="Not with",
        melds="On the table",
        flowers=f"{flower}s".capitalize(),
        none="none",
        reading="READING",
        best=lambda number, margin, following: (
            f"The best of {number}, by {margin:,}; the next comes to {following}."
            if margin
            else f"One of {number}; the next comes to the same, {following}."
        ),
        only="The tiles can be read in one way only.",
        considered="Also considered:",
        more=lambda number: f"and {number} more",
        legend=f"[ ] on the table, ( ) concealed {gong}, * took the winning tile",
        forms={
            "chow": chow,
            "pong": pong,
            "gong": gong,
            "eyes": "eyes",
            "pair": "pair",
            "single": "single",
        },
        rows="ROWS",
        no_rows="No row applies.",
        each=lambda count: f" × {count}",
        doubles=lambda doubles: f"×{2**doubles}",
        half_limit="½ limit",
        whole_limit="limit",
        replaced="GAVE WAY",
        gives_way=lambda by: f"gave way to {by}",
        sum="SUM",
        points="points",
        doubled=lambda row: f"doubled by {row}",
        limit="cut to the limit",
        limit_by=lambda row: f"set by {row}",
        void="void, since a dangerous discard pays for all",
        added=lambda row, points: f"with {points} for {row}",
        total="Total",
        waits=lambda tiles: f"The hand waited for {tiles}.",
        payments="PAYMENTS",
        pays=lambda source, target, amount: f"{source} pays {target} {amount}",
        reasons={
            "alone": "gave the winning tile and pays alone",
            "each": "each of the three pays the winner's hand",
            "penalty": "pays for a dangerous discard",
            "own": "pays the winner's hand",
        },
        twice="doubled, since East pays or receives",
        difference=lambda higher, lower: f"the difference of {higher} and {lower}",
        net="In all",
        others_unknown="The other hands were not given; their differences are not settled here.",
        danger=lambda discarder, winner, shown: f"{discarder}'s discard was dangerous: {winner} had shown {shown}.",
        warnings={
            "suit": "nine tiles of one suit or more and won with that suit alone",
            "heads": "nine heads or more and won with heads alone",
            "dragons": "two sets of dragons and got the third",
            "winds": "three sets of winds and got the fourth",
        },
        danger_pays=lambda discarder: f"{discarder} pays for all three, and no other score counts.",
        danger_open=lambda discarder: f"Whether {discarder} pays for all three is judged only at a whole table.",
        excuses={
            "no_other_tile": lambda discarder: f"{discarder} had no other tile to discard and is excused.",
            "two_doubles": lambda discarder: f"{discarder} was waiting with two doubles or more and is excused.",
            "more_doubles": lambda discarder: (
                f"{discarder} was waiting for a tile that would have given more than two doubles and is excused."
            ),
        },
        unjudged="A dangerous discard is judged only at a whole table.",
        missing=lambda number: f"{counted(number, 'tile')} missing" if number else "complete",
        missing_heading="MISSING",
        nearest=lambda form: f"to {form}",
        completing="These complete it",
        helping="These bring it nearer",
        parts="PART BY PART",
        complete="complete",
        lacking=lambda number: f"{counted(number, 'tile')} missing",
        lacks_one_of=lambda tiles: f"waits for {tiles}",
        spare="left over",
        other_forms="Other forms",
        set="set",
        eyes="eyes",
        standard="sets and eyes",
    )


def _chinese(game: Mapping[str, str]) -> Words:
    chow, pong, gong = game["chow"], game["pong"], game["gong"]
    win, flower = game["win"], game["flower"]
    return Words(
        language="zh-Hant",
        space="",
        comma="，",
        colon="：",
        semicolon="；",
        stop="。",
        winds=("東", "南", "西", "北"),
        round=lambda wind: f"{wind}圈。",
        heading=lambda game, version, name: f"{game}（{version}）記錄 {name}",
        options=lambda options: f"枱規：{options}",
        wins={
            "discard": lambda winner, other: f"{winner}家{win}{other}家打出的牌。",
            "self_draw": lambda winner, other: f"{winner}家自摸。",
            "robbed_gong": lambda winner, other: f"{winner}家搶{other}家的{gong}。",
            "dealt": lambda winner, other: f"{winner}家起手即{win}。",
            "flowers": lambda winner, other: f"{winner}家以{flower}牌{win}出。",
        },
        lost=lambda player: f"{player}家未{win}。",
        not_winning=lambda player: f"{player}家不成{win}。",
        flags={
            "replacement": "此牌為補牌。",
            "last_tile": "此牌為牌牆最後一隻。",
            "first_discard": "此牌為本局第一隻打出的牌。",
            "gong_on_gong": f"{gong}上{gong}後補得。",
            "called": f"已叫{win}。",
        },
        in_hand="手牌",
        win_tile=f"{win}牌",
        tile="未成",
        melds="枱面",
        flowers=f"{flower}牌",
        none="無",
        reading="牌型",
        best=lambda number, margin, following: (
            f"{number} 種拆法中最高，多 {margin:,}；次者為 {following}。"
            if margin
            else f"{number} 種拆法之一；次者同為 {following}。"
        ),
        only="只有一種拆法。",
        considered="其他拆法：",
        more=lambda number: f"另有 {number} 種",
        legend=f"[ ] 枱面，( ) 暗{gong}，* {win}牌所成",
        forms={"chow": chow, "pong": pong, "gong": gong, "eyes": "眼", "pair": "對", "single": "單"},
        rows="計分",
        no_rows="沒有項目適用。",
        each=lambda count: f" × {count}",
        doubles=lambda doubles: f"×{2**doubles}",
        half_limit="半滿貫",
        whole_limit="滿貫",
        replaced="不計",
        gives_way=lambda by: f"已計{by}",
        sum="合計",
        points="分",
        doubled=lambda row: f"{row}加倍",
        limit="以滿貫為限",
        limit_by=lambda row: f"依{row}計",
        void="有人包付，其餘不計",
        added=lambda row, points: f"另加{row} {points}",
        total="總計",
        waits=lambda tiles: f"原聽 {tiles}。",
        payments="收付",
        pays=lambda source, target, amount: f"{source}付{target} {amount}",
        reasons={
            "alone": "出銃者一人全付",
            "each": f"三家各付{win}牌者",
            "penalty": "打出險牌包付",
            "own": f"付{win}牌者",
        },
        twice="莊家收付加倍",
        difference=lambda higher, lower: f"{higher} 與 {lower} 之差",
        net="總收付",
        others_unknown="未列其餘各家的牌，故未計三家之間的差額。",
        danger=lambda discarder, winner, shown: f"{discarder}家打出險牌：{winner}家枱面已示{shown}。",
        warnings={
            "suit": f"同門九隻以上而只以該門{win}出",
            "heads": f"么九字牌九隻以上而只以么九字牌{win}出",
            "dragons": "三元兩副而得第三副",
            "winds": "風牌三副而得第四副",
        },
        danger_pays=lambda discarder: f"{discarder}家包賠三家，其餘各家不計。",
        danger_open=lambda discarder: f"{discarder}家是否包賠三家，須列四家的牌方可判定。",
        excuses={
            "no_other_tile": lambda discarder: f"{discarder}家別無他牌可打，免包。",
            "two_doubles": lambda discarder: f"{discarder}家已聽牌而有兩番或以上，免包。",
            "more_doubles": lambda discarder: f"{discarder}家所聽之牌可得多於兩番，免包。",
        },
        unjudged="險牌是否包賠，須列四家的牌方可判定。",
        missing=lambda number: f"尚欠 {number} 隻" if number else "已成牌",
        missing_heading="欠牌",
        nearest=lambda form: f"成{form}",
        completing="得此即成",
        helping="得此更近",
        parts="逐組",
        complete="已成",
        lacking=lambda number: f"欠 {number} 隻",
        lacks_one_of=lambda tiles: f"聽 {tiles}",
        spare="多餘",
        other_forms="其他牌型",
        set="副",
        eyes="眼",
        standard="數副牌加一對眼",
    )


_SPOKEN: Final[Mapping[str, Callable[[Mapping[str, str]], Words]]] = MappingProxyType(
    {"en": _english, "zh-Hant": _chinese}
)
LANGUAGES: Final = tuple(_SPOKEN)


def words_of(ruleset: Ruleset, language: str) -> Words:
    """The phrases of one of LANGUAGES, with what this game calls things."""
    return _SPOKEN[language]({word: said[language] for word, said in ruleset.words.items()})
