"""A game on the table in a real browser: by clicks and by keys, with slips and second thoughts."""

import time
from pathlib import Path
from typing import TYPE_CHECKING

from tests.browser import browser, console_errors
from tests.web.pages import LAPTOP, click, keys, opened, text, wait, word
from tests.web.serving import Server, serving

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


def test_a_whole_game_by_keys(page: "Chrome") -> None:
    from selenium.webdriver.common.keys import Keys

    # draw 5 of tea?s|etsoatzest: the slider begins in the middle
    assert "5 from the left" in text(page, "left-text")
    keys(page, Keys.ARROW_RIGHT)
    assert "6 from the left" in text(page, "left-text")
    keys(page, Keys.ARROW_LEFT, *"zests")
    assert "Play for" in text(page, "lay")
    keys(page, Keys.BACKSPACE)
    points = int(text(page, "lay").split()[-1])
    keys(page, Keys.ENTER)
    wait(lambda: f"zest: {points} points" in text(page, "message"))
    assert f"Score {points}" in text(page, "figures")
    keys(page, *"qqq", Keys.ENTER)
    assert "left on the rack" in text(page, "message") or "not in the word list" in text(page, "message")
    keys(page, Keys.ESCAPE, Keys.CONTROL + "z")
    assert "Score 0" in text(page, "figures")
    keys(page, Keys.CONTROL + "y")
    assert f"Score {points}" in text(page, "figures")
    keys(page, "2")
    assert page.find_element("id", "side-plays").is_displayed()
    keys(page, "?")
    assert "Rules and keys" in text(page, "dialog")
    keys(page, Keys.ESCAPE)


def test_a_whole_game_by_clicks(page: "Chrome") -> None:
    page.find_elements("css selector", "#row button")[2].click()
    assert "3 from the left" in text(page, "left-text")
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
    click(page, "#over")
    assert "Score 0" in text(page, "figures")
    assert "Draw tiles from both ends" in text(page, "side-turns")


def test_a_blank_gets_its_letter_and_may_change_places(page: "Chrome") -> None:
    click(page, "#row button:nth-of-type(4)")
    blank = next(
        button
        for button in page.find_elements("css selector", "#rack button")
        if "blank" in (button.get_attribute("class") or "")
    )
    blank.click()
    assert page.find_element("id", "letters").is_displayed()
    keys(page, "\n")
    assert "Choose the letter" in text(page, "message")
    page.find_elements("css selector", "#letters button")[0].click()
    assert page.find_element("css selector", "#word .tile .letter").text == "A"
    assert "Play for 0" in text(page, "lay")
    click(page, "#word .tile")
    assert "Type a word" in text(page, "word")


def test_reload_and_a_second_tab_keep_the_game(page: "Chrome", server: Server) -> None:
    from selenium.webdriver.common.keys import Keys

    keys(page, *"zest", Keys.ENTER)
    wait(lambda: "zest" in text(page, "side-turns"))
    address = page.current_url
    assert "zest" in address
    page.refresh()
    wait(lambda: "zest" in text(page, "side-turns"))
    page.switch_to.new_window("tab")
    page.get(address)
    wait(lambda: "zest" in text(page, "side-turns"))
    page.get("about:blank")
    page.get(server.address)
    wait(lambda: "zest" in text(page, "side-turns"))
    page.close()
    page.switch_to.window(page.window_handles[0])


def test_a_letter_that_the_rack_lacks_stays_in_sight_and_the_play_waits(page: "Chrome") -> None:
    keys(page, *"zestqx")
    assert word(page) == "zestqx"
    assert len(page.find_elements("css selector", "#word .missing")) == 1
    assert "Neither X nor a blank" in text(page, "message")
    keys(page, "\n")
    assert "zestq" not in text(page, "side-turns")
    keys(page, "\b", "\b", "\n")
    wait(lambda: "zest: " in text(page, "message"))


def test_a_blank_may_come_second_and_a_tile_after_it_lays_itself(page: "Chrome", server: Server) -> None:
    opened(page, server, "#row=bat%3Fs")
    keys(page, "b", ".", "\ue000")
    page.find_element("xpath", "//div[@id='rack']//button[.//span[text()='T']]").click()
    assert page.find_elements("css selector", "#word .tile")[1].get_attribute("class") == "tile blank"
    page.find_elements("css selector", "#letters button")[4].click()
    assert word(page) == "bet"
    assert "Play for 6" in text(page, "lay")


def test_the_blank_changes_places_with_the_tile_of_its_letter(page: "Chrome", server: Server) -> None:
    opened(page, server, "#row=te%3F")
    keys(page, *"tee")
    points = "return [...document.querySelectorAll('#word .points')].map(e => e.textContent)"
    assert page.execute_script(points) == ["1", "0", "3"]
    page.find_elements("css selector", "#word .swap")[1].click()
    assert page.execute_script(points) == ["1", "2", "0"]


def test_a_turn_taken_back_while_the_referee_thinks_stays_taken_back(page: "Chrome", server: Server) -> None:
    opened(page, server, "#challenge/6.s_l_mnized.solemnized")
    page.execute_script(
        """const real = window.fetch;
        window.fetch = async (...all) => {
          if (String(all[0]).endsWith("/turn")) await new Promise((done) => setTimeout(done, 800));
          return real(...all);
        };"""
    )
    click(page, "#row button:nth-of-type(9)")
    keys(page, *"outmove", "\n")
    click(page, "#undo")
    time.sleep(1.5)
    assert "Score 0" in text(page, "figures")
    assert page.current_url.endswith("#challenge")


def test_a_link_in_other_spellings_opens_the_game_as_the_referee_reads_it(page: "Chrome", server: Server) -> None:
    opened(page, server, "#challenge/6.S_L_MNIZED.SOLEMNIZED/9..outmove.outmove")
    wait(lambda: "Score 195" in text(page, "figures"))
    assert page.current_url.endswith("#challenge/6.s_l_mnized.solemnized/9.outmove.outmove")
    opened(page, server, "#challenge/6.s_l_mnized.solemnized/9.qqq.qqq")
    wait(lambda: "Turn 2, “9 qqq qqq”" in text(page, "message"))
    assert "Score 141" in text(page, "figures")


def test_enter_plays_the_word_after_another_button_was_clicked(page: "Chrome") -> None:
    keys(page, *"zest", "\n")
    wait(lambda: "zest: " in text(page, "message"))
    click(page, "#undo")
    keys(page, *"zest", "\n")
    wait(lambda: "zest: " in text(page, "message"))


def test_a_game_that_was_begun_goes_on_and_a_game_shown_gives_the_own_one_back(page: "Chrome", server: Server) -> None:
    keys(page, *"zest", "\n")
    wait(lambda: "zest" in text(page, "side-turns"))
    click(page, "#new")
    page.find_elements("css selector", "#dialog .fields button")[0].click()
    wait(lambda: "The row of today" in text(page, "title"))
    click(page, "#new")
    page.find_element("id", "own-row").send_keys("tea?setsoatzest")
    page.find_elements("css selector", "#dialog .fields button")[3].click()
    wait(lambda: "zest" in text(page, "side-turns"))
    opened(page, server, "#challenge/6.s_l_mnize.solemnize")
    click(page, "#tab-records")
    wait(lambda: "shuffled-20" in text(page, "view-records"))
    page.find_elements("css selector", "#view-records tbody tr:first-child button")[1].click()
    wait(lambda: "turn 1 of 13" in text(page, "dialog"))
    page.find_element("xpath", "//button[.='Play on from here']").click()
    wait(lambda: "Score 141" in text(page, "figures"))
    page.find_element("xpath", "//button[starts-with(., 'Back to your game')]").click()
    wait(lambda: "Score 121" in text(page, "figures"))


def test_the_end_of_a_game_is_told(page: "Chrome", server: Server) -> None:
    opened(page, server, "#row=tea")
    keys(page, *"tea", "\n")
    wait(lambda: "The game is over" in text(page, "message"))


def test_a_server_with_a_puzzle_opens_it(tmp_path: Path) -> None:
    file = tmp_path / "my_row.toml"
    file.write_text('name = "mine"\nrow = "tea?setsoatzest"\nrack = 5\n')
    with serving(str(file)) as own, browser(*LAPTOP) as driver:
        opened(driver, own, "")
        assert "mine: 15 tiles, a rack of 5" in text(driver, "title")
        keys(driver, *"tees", "\n")
        wait(lambda: "tees" in text(driver, "side-turns"))
        driver.refresh()
        wait(lambda: "tees" in text(driver, "side-turns"))
        assert console_errors(driver) == []
