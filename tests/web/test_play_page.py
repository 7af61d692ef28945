"""A game on the table in a real browser: by clicks and by keys, with slips and second thoughts."""

import time
from typing import TYPE_CHECKING

from tests.web.pages import click, has_score, keys, opened, text, wait, word
from tests.web.serving import Server

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


def test_a_whole_game_by_keys(page: "Chrome", server: Server) -> None:
    from selenium.webdriver.common.keys import Keys

    opened(page, server)
    # draw 5 of tea?s|etsoatzest: the slider begins in the middle
    assert text(page, "left-text") == "5 left"
    keys(page, Keys.ARROW_RIGHT)
    assert text(page, "left-text") == "6 left"
    keys(page, Keys.ARROW_LEFT, *"zests")
    assert "Play for" in text(page, "lay")
    keys(page, Keys.BACKSPACE)
    points = int(text(page, "lay").split()[-1])
    keys(page, Keys.ENTER)
    wait(lambda: f"zest: {points} points" in text(page, "message"))
    wait(lambda: has_score(page, points))
    keys(page, *"qqq", Keys.ENTER)
    assert "The rack has no Q left" in text(page, "message") or "not in the word list" in text(page, "message")
    keys(page, Keys.ESCAPE, Keys.CONTROL + "z")
    wait(lambda: has_score(page, 0))
    keys(page, Keys.CONTROL + "y")
    wait(lambda: has_score(page, points))
    keys(page, "2")
    assert page.find_element("id", "side-plays").is_displayed()
    keys(page, "?")
    assert "Rules" in text(page, "dialog")
    keys(page, Keys.ESCAPE)


def test_a_whole_game_by_clicks(page: "Chrome", server: Server) -> None:
    opened(page, server)
    click(page, "#strip [data-at='8']")
    assert text(page, "left-text") == "3 left"
    for letter in "tea":
        page.find_element("css selector", "#rack button:not(:disabled) .letter:not(:empty)")
        for button in page.find_elements("css selector", "#rack button:not(:disabled)"):
            if button.text.lower().startswith(letter):
                button.click()
                break
    click(page, "#lay")
    wait(lambda: "tea: 6 points" in text(page, "message"))
    blank = [
        button
        for button in page.find_elements("css selector", "#rack button")
        if "blank" in (button.get_attribute("class") or "")
    ]
    assert not blank or blank[0].is_enabled()
    click(page, "#undo")
    click(page, "#redo")
    click(page, "[data-key=over]")
    wait(lambda: has_score(page, 0))
    assert "Draw tiles from both ends" in text(page, "side-turns")
    click(page, "#redo")
    wait(lambda: has_score(page, 6))


def test_a_blank_gets_its_letter_and_may_change_places(page: "Chrome", server: Server) -> None:
    opened(page, server)
    blank = next(
        button
        for button in page.find_elements("css selector", "#rack button")
        if "blank" in (button.get_attribute("class") or "")
    )
    blank.click()
    assert page.find_element("id", "letters").is_displayed()
    keys(page, "\n")
    assert "Choose the letter" in text(page, "message")
    page.find_elements("css selector", "#letters div button")[0].click()
    assert page.find_element("css selector", "#word .tile .letter").text == "A"
    assert "Play for 0" in text(page, "lay")
    click(page, "#word .tile")
    assert "type a word" in text(page, "word")


def test_a_letter_that_the_rack_lacks_stays_in_sight_and_the_play_waits(page: "Chrome", server: Server) -> None:
    opened(page, server)
    keys(page, *"zestqx")
    assert word(page) == "zestqx"
    assert len(page.find_elements("css selector", "#word .missing")) == 1
    assert "The rack has no X left" in text(page, "message")
    keys(page, "\n")
    assert "zestq" not in text(page, "side-turns")
    keys(page, "\b", "\b", "\n")
    wait(lambda: "zest: " in text(page, "message"))


def test_a_blank_may_come_second_and_a_tile_after_it_lays_itself(page: "Chrome", server: Server) -> None:
    opened(page, server, "#row=bat%3Fs")
    keys(page, "b", ".", "\ue000")
    click(page, "//div[@id='rack']//button[.//span[text()='T']]", "xpath")
    assert page.find_elements("css selector", "#word .tile")[1].get_attribute("class") == "tile blank"
    page.find_elements("css selector", "#letters div button")[4].click()
    assert word(page) == "bet"
    assert "Play for 6" in text(page, "lay")


def test_the_blank_changes_places_with_the_tile_of_its_letter(page: "Chrome", server: Server) -> None:
    opened(page, server, "#row=te%3F")
    keys(page, *"tee")
    points = "return [...document.querySelectorAll('#word .points')].map(e => e.textContent)"
    assert page.execute_script(points) == ["1×1", "0", "3×1"]
    page.find_elements("css selector", "#word .swap")[1].click()
    assert page.execute_script(points) == ["1×1", "2×1", "0"]


def test_of_equal_letters_the_blank_takes_the_place_that_costs_less(page: "Chrome", server: Server) -> None:
    opened(page, server, "#row=et%3F")
    # the E first, then a blank as its second letter
    click(page, "//div[@id='rack']//button[.//span[text()='E']]", "xpath")
    keys(page, "t", ".", "e")
    assert word(page) == "ete"
    points = "return [...document.querySelectorAll('#word .points')].map(e => e.textContent)"
    assert page.execute_script(points) == ["0", "2×1", "3×1"]


def test_a_turn_taken_back_while_the_referee_thinks_stays_taken_back(page: "Chrome", server: Server) -> None:
    opened(page, server, "#challenge/6.s_l_mnized.solemnized")
    page.execute_script(
        """const real = Worker.prototype.postMessage;
        Worker.prototype.postMessage = function (message) {
          setTimeout(() => real.call(this, message), message.question === "positionOf" ? 800 : 0);
        };"""
    )
    page.execute_script("document.querySelector('#strip [data-at=\"14\"]').click()")
    keys(page, *"outmove", "\n")
    click(page, "#undo")
    time.sleep(1.5)
    wait(lambda: has_score(page, 0))
    assert page.current_url.endswith("#challenge")


def test_a_link_in_other_spellings_opens_the_game_as_the_referee_reads_it(page: "Chrome", server: Server) -> None:
    opened(page, server, "#challenge/6.S_L_MNIZED.SOLEMNIZED/9..outmove.outmove")
    wait(lambda: has_score(page, 195))
    assert page.current_url.endswith("#challenge/6.s_l_mnized.solemnized/9.outmove.outmove")
    opened(page, server, "#challenge/6.s_l_mnized.solemnized/9.qqq.qqq")
    wait(lambda: "Turn 2, “9 qqq qqq”" in text(page, "message"))
    wait(lambda: has_score(page, 141))


def test_enter_plays_the_word_after_another_button_was_clicked(page: "Chrome", server: Server) -> None:
    opened(page, server)
    keys(page, *"zest", "\n")
    wait(lambda: "zest: " in text(page, "message"))
    click(page, "#undo")
    keys(page, *"zest", "\n")
    wait(lambda: "zest: " in text(page, "message"))
